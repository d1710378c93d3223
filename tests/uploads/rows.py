"""Uploads whose rows stand in tables or are texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from tests.uploads import Wanted

GOOD = "great lovely wonderful friendly toll herrlich freundlich schön".split()
BAD = "awful dreadful broken rude furchtbar kaputt unfreundlich hässlich".split()
PLAIN = "usual middling fair ordinary mittel normal üblich gewohnt".split()
FILL = "the room was and we came back to it das Zimmer war und wir kamen wieder hin".split()
PLACES = "Graz Linz Wels Rome Oslo Bonn".split()


def parted(frame: pd.DataFrame, folder: Path, known: int, answers: list[str]) -> None:
    """The first rows as known.csv, the others without their answers as new.csv, both numbered."""
    frame = frame.rename_axis("nr").reset_index()
    frame[:known].to_csv(folder / "known.csv", index=False)
    frame[known:].drop(columns=answers).to_csv(folder / "new.csv", index=False)


def remark(words: list[str], dice: np.random.Generator) -> str:
    return " ".join(dice.permutation([*dice.choice(FILL, 7), *dice.choice(words, 2)]))


def texts_in_two_languages(folder: Path) -> Wanted:
    dice, moods = np.random.default_rng(0), {"good": GOOD, "bad": BAD, "neither": PLAIN}
    drawn = dice.choice(list(moods), 200)
    frame = pd.DataFrame({"remark": [remark(moods[mood], dice) for mood in drawn], "mood": drawn})
    parted(frame, folder, 160, ["mood"])
    return Wanted("Which mood does each remark show? Macro F1.", "multiclass", "new.csv")


def number_of_a_text(folder: Path) -> Wanted:
    dice = np.random.default_rng(1)
    shares = dice.random(200)
    texts = [
        " ".join(np.where(dice.random(14) < share, dice.choice(GOOD, 14), dice.choice(BAD, 14))) for share in shares
    ]
    parted(pd.DataFrame({"review": texts, "stars": (1 + 4 * shares).round(2)}), folder, 160, ["stars"])
    return Wanted("Predict the stars of each review. RMSE.", "regression", "new.csv")


def topics_of_a_text(folder: Path) -> Wanted:
    dice, topics = np.random.default_rng(2), {"food": GOOD, "noise": BAD}
    frame = pd.DataFrame({topic: dice.integers(0, 2, 200) for topic in topics})
    words = [
        [w for topic in topics if row[topic] for w in dice.choice(topics[topic], 2)] for _, row in frame.iterrows()
    ]
    frame.insert(0, "letter", [" ".join([*dice.choice(FILL, 9), *said]) for said in words])
    parted(frame, folder, 160, list(topics))
    return Wanted("Which letters are about food, which about noise? Predict food and noise.", "multilabel", "new.csv")


def pairs_of_texts(folder: Path) -> Wanted:
    dice, rows = np.random.default_rng(3), []
    for _ in range(180):
        first, kept = dice.choice([*GOOD, *BAD, *FILL], 8, replace=False), int(dice.integers(0, 9))
        rows.append((" ".join(first), " ".join([*first[:kept], *dice.choice([*GOOD, *BAD], 8 - kept)]), kept / 2))
    parted(pd.DataFrame(rows, columns=["text1", "text2", "score"]), folder, 150, ["score"])
    return Wanted("How similar are the two texts? Spearman.", "text_similarity", "new.csv")


def documents_for_queries(folder: Path) -> Wanted:
    texts = {f"D{n:02d}": f"page {n} about topic{n} and some other things like subject{n % 7}" for n in range(40)}
    pd.DataFrame(texts.items(), columns=["doc_id", "text"]).to_csv(folder / "docs.csv", index=False)
    queries = pd.DataFrame(
        [(f"q{n}", f"what is topic{n} and what does it say") for n in range(40)], columns=["query_id", "query"]
    )
    queries[:32].to_csv(folder / "queries.csv", index=False)
    queries[32:].to_csv(folder / "queries_test.csv", index=False)
    judged = [(f"q{n}", f"D{n:02d}", 2) for n in range(32)] + [(f"q{n}", f"D{(n + 7) % 40:02d}", 1) for n in range(32)]
    pd.DataFrame(judged, columns=["query_id", "doc_id", "relevance"]).to_csv(folder / "judgments.csv", index=False)
    goal = "Rank the documents for each query in queries_test; csv with query_id, doc_id and rank"
    return Wanted(goal, "retrieval", "queries_test.csv")


def names_in_sentences(folder: Path) -> Wanted:
    dice, letters = np.random.default_rng(4), list("aeioulmnrst")
    sentences = []
    for _ in range(150):
        person, place = ("".join(dice.choice(letters, 5)).capitalize() for _ in range(2))  # not to be remembered
        words = [*dice.choice(FILL, 2), person, "went", "to", place, *dice.choice(FILL, 2), "."]
        sentences.append([f"{w}\t{'B-PER' if w == person else 'B-LOC' if w == place else 'O'}" for w in words])
    (folder / "train.conll").write_text("\n\n".join("\n".join(s) for s in sentences[:120]) + "\n", encoding="utf-8")
    bare = [[line.partition("\t")[0] for line in sentence] for sentence in sentences[120:]]
    (folder / "test.conll").write_text("\n\n".join("\n".join(s) for s in bare) + "\n", encoding="utf-8")
    return Wanted("Find the people and places in the sentences of test.conll. F1 of entities.", "ner", "test.conll")


def words_as_spoken(folder: Path) -> Wanted:
    dice, ones = np.random.default_rng(5), "one two three four five six seven eight nine".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    said = {str(10 * t + n): f"{tens[t - 2]} {ones[n - 1]}" for t in range(2, 10) for n in range(1, 10)}
    same = [*FILL, *GOOD, *BAD, *PLACES]
    before = np.where(dice.random(360) < 0.6, dice.choice(same, 360), dice.choice(list(said), 360))
    parted(pd.DataFrame({"before": before, "after": [said.get(word, word) for word in before]}), folder, 300, ["after"])
    return Wanted("Normalise the texts: how is before spoken? csv with nr and after", "sequence_to_sequence", "new.csv")


def grades(folder: Path) -> Wanted:
    dice = np.random.default_rng(6)
    frame = pd.DataFrame(dice.normal(0, 1, (260, 3)).round(3), columns=["taste", "smell", "looks"])
    frame["grade"] = (
        pd.cut(frame["taste"] + frame["smell"] + dice.normal(0, 0.3, 260), [-99, -1, 0, 1, 99], labels=False) + 1
    )
    parted(frame, folder, 220, ["grade"])
    return Wanted("Predict the grade from 1 to 4. Quadratic weighted kappa.", "multiclass", "new.csv")


def several_numbers_of_a_sample(folder: Path) -> Wanted:
    dice = np.random.default_rng(7)
    frame = pd.DataFrame(dice.normal(0, 1, (2000, 3)).round(3), columns=["heat", "load", "age"])
    frame["wear"], frame["noise"] = (2 * frame["heat"] + frame["age"]).round(3), (frame["load"] - frame["age"]).round(3)
    parted(frame, folder, 1900, ["wear", "noise"])
    return Wanted("Predict wear and noise.", "multitarget", "new.csv", hints=("train on a sample of 400 rows",))


def rows_with_text_files(folder: Path) -> Wanted:
    dice = np.random.default_rng(8)
    (folder / "reports").mkdir()
    rows = []
    for n in range(120):
        good = bool(dice.random() < 0.5)
        (folder / "reports" / f"r{n}.txt").write_text(remark(GOOD if good else BAD, dice), encoding="utf-8")
        rows.append((f"r{n}.txt", int(dice.integers(1, 9)), "yes" if good else "no"))
    parted(pd.DataFrame(rows, columns=["report", "nights", "again"]), folder, 96, ["again"])
    return Wanted("Predict whether they come again.", "binary", "new.csv")


def prices_of_the_day(folder: Path) -> Wanted:
    """Rows whose answer depends on the last entry before them in another table."""
    dice = np.random.default_rng(9)
    days = pd.date_range("2024-01-01", periods=200)
    rates = pd.DataFrame(
        {"town": np.repeat(["Graz", "Linz"], 40), "day": np.tile(days[::5], 2), "rate": dice.uniform(1, 9, 80).round(2)}
    )
    sales = pd.DataFrame(
        {
            "town": dice.choice(["Graz", "Linz"], 300),
            "day": dice.choice(days[5:], 300),
            "pieces": dice.integers(1, 9, 300),
        }
    )
    sales = pd.merge_asof(sales.sort_values("day"), rates.sort_values("day"), on="day", by="town")
    sales["amount"] = (20 * sales.pop("rate") + sales["pieces"]).round(2)
    rates.to_csv(folder / "rates.csv", index=False)
    parted(sales.sample(frac=1, random_state=0, ignore_index=True), folder, 240, ["amount"])
    return Wanted("Predict the amount of each sale.", "regression", "new.csv")


def a_short_series_with_gaps(folder: Path) -> Wanted:
    days = pd.date_range("2024-01-01", periods=70)
    values = 100 + 10 * np.tile([0, 1, 2, 3, 2, 1, 0], 10) + np.random.default_rng(10).normal(0, 1, 70)
    frame = pd.DataFrame({"day": days.strftime("%Y-%m-%d"), "visits": values.round(1)}).drop(index=[9, 23, 24, 40, 61])
    frame.to_csv(folder / "visits.csv", index=False)
    return Wanted("Forecast the visits of the next 7 days", "forecasting", "visits.csv", asked=False)


MAKERS = [
    texts_in_two_languages, number_of_a_text, topics_of_a_text, pairs_of_texts, documents_for_queries, names_in_sentences,
    words_as_spoken, grades, several_numbers_of_a_sample, rows_with_text_files, prices_of_the_day, a_short_series_with_gaps,
]  # fmt: skip
