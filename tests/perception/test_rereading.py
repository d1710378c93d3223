"""What the user says about reading: encodings, and the order of day and month; asked when open, checked when set."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.perception import encodings
from mlzero.perception.rereading import dated, decoded
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Question, Task
from mlzero.perception.understand import infer_task
from mlzero.runs import RunDirectory

DAYS = ["03/04/2021", "05/06/2021", "11/06/2021", "07/08/2021"]


def table(path: Path, days: list[str], **more: object) -> None:
    pd.DataFrame(
        {
            "day": days,
            **more,
            "use": [n * 3 % 7 + 0.25 for n in range(len(days))],
            "y": [n * 7 % 5 + 0.5 for n in range(len(days))],
        }
    ).to_csv(path, index=False)


def asked(task: Task) -> dict[str, Question]:
    return {question.field: question for question in task.questions}


def understood(folder: Path, goal: str = "Predict y", **given: str) -> Task:
    corrections = {name.replace("__", ":"): value for name, value in given.items()}
    found = dated(decoded(profile(folder), folder, corrections), corrections)
    return infer_task(found, folder, goal, corrections)


def test_clear_dates_are_not_asked_about(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", [*DAYS, "25/06/2021"] * 4)
    assert "dates" not in asked(understood(tmp_path))


def test_dates_that_are_not_used_are_not_asked_about(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", DAYS * 5)
    assert "dates" not in asked(understood(tmp_path, drop="day"))


def test_what_is_assumed_is_said_until_it_is_answered(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", DAYS * 5)
    task = understood(tmp_path)
    assert any("month first" in note and "Assumed" in note for note in task.notes)
    answered = understood(tmp_path, dates="month first")
    assert "dates" not in asked(answered) and not any("Assumed" in note for note in answered.notes)
    assert answered.overridden == ["dates"]


def test_one_question_for_all_columns_and_tables(tmp_path: Path) -> None:
    table(tmp_path / "train.csv", DAYS * 5, seen=[day.replace("/", "-") for day in DAYS] * 5)
    pd.read_csv(tmp_path / "train.csv").drop(columns="y").tail(9).to_csv(tmp_path / "test.csv", index=False)
    found = profile(tmp_path)
    orders = {column.date.day_first for t in found.tables for column in t.columns if column.date}
    assert len(orders) == 1, "all are read the same way"
    (question,) = infer_task(found, tmp_path, "Predict y").questions
    assert question.field == "dates" and '"seen"' in question.text


def test_an_answer_for_one_column_goes_before_that_for_all(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", DAYS * 5, seen=DAYS * 5)
    found = dated(profile(tmp_path), {"dates:seen": "month first", "dates": "day_first"})
    frame = load_table(tmp_path, found.tables[0])
    assert frame["day"].dt.month.tolist()[:3] == [4, 6, 6] and frame["seen"].dt.month.tolist()[:3] == [3, 5, 11]
    column = found.tables[0].column("day")
    assert column is not None and (column.minimum, column.maximum) == ("2021-04-03", "2021-08-07")


def test_a_clear_table_settles_first_and_last_date_of_an_open_one(tmp_path: Path) -> None:
    table(tmp_path / "train.csv", [*DAYS, "25/01/2021"] * 4)
    pd.DataFrame({"day": ["01/02/2021", "02/03/2021"] * 5, "use": range(10)}).to_csv(tmp_path / "test.csv", index=False)
    later = profile(tmp_path).table("test.csv").column("day")  # type: ignore[union-attr]
    assert (later.minimum, later.maximum) == ("2021-02-01", "2021-03-02")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"dates": "sideways"}, "no order of day and month"),
        ({"dates:dey": "day first"}, 'Did you mean "day"'),
        ({"dates:sure": "month first"}, "in one way only"),
        ({"encoding": "cp125"}, "no encoding"),
        ({"encoding": "base64"}, "no encoding"),
        ({"encoding:b.csv": "cp1252"}, 'Did you mean "a.csv"'),
    ],
)
def test_corrections_that_do_not_fit(tmp_path: Path, given: dict[str, str], says: str) -> None:
    table(tmp_path / "a.csv", DAYS * 5, sure=["25/06/2021"] * 20)
    found = profile(tmp_path)
    with pytest.raises(UserError, match=says) as error:
        dated(decoded(found, tmp_path, given), given)
    assert error.value.fix


TEXTS = {
    "cp1252": "père à côté Noël garçon où",
    "cp1250": "Łódź Kraków Świętokrzyskie Gdańsk Wrocław",
    "cp1251": "Москва Казань Тверь Омск Иваново",
    "cp1254": "İstanbul Eskişehir Muğla Şanlıurfa Ağrı",
    "cp1257": "Rīga Jelgava Liepāja Jūrmala Ķemeri",
    "cp1253": "Αθήνα Πάτρα Ελλάδα Κρήτη θάλασσα",
    "koi8_r": "Москва Казань Тверь Омск Иваново",
    "mac_roman": "Müller Größe Jäger süß Straße",
    "gb18030": "姓名 身高 张三 李四 王五 赵六",
    "shift_jis": "名前 年齢 山田太郎 こんにちは カタカナ",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_old_encodings_are_told_by_their_letters(encoding: str) -> None:
    content = TEXTS[encoding].replace(" ", "\n").encode(encoding)
    found = encodings.find(content)
    assert content.decode(found) == content.decode(encoding)
    confidence, readings = encodings.readings(content, found)
    assert confidence > 0.9 and next(iter(readings)) == found


def test_letters_of_many_languages_are_asked_about(tmp_path: Path) -> None:
    names = "Dvoøák;Gõz;Müller;Nuñez".split(";")
    rows = "".join(f"{names[n % 4]}{n};{n * 7 % 11};{n * 7 % 5}\n" for n in range(40))
    (tmp_path / "a.csv").write_bytes(f"name;size;y\n{rows}".encode("cp1252"))
    task = understood(tmp_path)
    (question,) = [q for field, q in asked(task).items() if field.startswith("encoding")]
    assert question.field == "encoding:a.csv" and any(option.startswith("cp1250: ") for option in question.options)
    chosen = next(option for option in question.options if option.startswith("cp1250"))
    given = {"encoding:a.csv": chosen}
    found = decoded(profile(tmp_path), tmp_path, given)
    assert "Dvořák0" in load_table(tmp_path, found.tables[0])["name"].tolist()
    assert decoded(found, tmp_path, given) is found, "what was read so once is not read again"
    assert "encoding:a.csv" not in asked(infer_task(found, tmp_path, "Predict y", given))


def test_a_misread_header_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Größe;y\n1,5;0\n2,5;1\n3,5;0\n".encode("cp1252"))
    found = decoded(profile(tmp_path), tmp_path, {"encoding": "mac_roman"})
    assert found.tables[0].names == ["Größe".encode("cp1252").decode("mac_roman"), "y"]
    assert decoded(found, tmp_path, {}).tables[0].names == ["Größe", "y"], "and as before when the correction goes"


def test_a_run_keeps_what_the_user_said(tmp_path: Path) -> None:
    from mlzero.perception import child

    run = RunDirectory.create(tmp_path / "run")
    table(run.data / "a.csv", DAYS * 5)
    before, _ = child.perceive(run.path, "Predict y", {})
    after, task = child.perceive(run.path, "Predict y", {"dates": "day first"})
    assert [p.tables[0].column("day").date.day_first for p in (before, after)] == [False, True]  # type: ignore[union-attr]
    assert "dates" not in asked(task)
    again, _ = child.perceive(run.path, "Predict y", {})
    assert again.tables == before.tables
