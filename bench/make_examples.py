"""Write the example data under assets/examples: `python bench/make_examples.py`.

Two sets are drawn from a seeded random generator, so nobody's data is in them; the third is the wine
recognition data that scikit-learn brings along.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

EXAMPLES = Path(__file__).resolve().parents[1] / "assets" / "examples"


def gym_members(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Members of a fitness club; `Cancelled` is Yes or No."""
    plan = rng.choice(["Basic", "Plus", "Premium"], rows, p=[0.5, 0.33, 0.17])
    contract = rng.choice(["Month to month", "12 months", "24 months"], rows, p=[0.46, 0.38, 0.16])
    months = np.minimum(rng.geometric(0.045, rows), 96)
    visits = np.clip(rng.gamma(2.2, 2.1, rows), 0, 24)
    distance = np.round(rng.lognormal(1.2, 0.7, rows), 1)
    trainer = rng.random(rows) < np.select([plan == "Premium", plan == "Plus"], [0.7, 0.3], 0.05)
    complaints = rng.poisson(0.35, rows)
    reminders = rng.poisson(0.25, rows)
    age = np.clip(rng.normal(38, 13, rows), 16, 82).round()
    fee = np.select([plan == "Premium", plan == "Plus"], [74.9, 49.9], 29.9) + rng.normal(0, 4, rows).round(2)
    odds = (
        0.6 + 0.9 * (contract == "Month to month") - 0.7 * (contract == "24 months") - 0.32 * visits
        - 0.018 * months + 0.09 * distance + 0.75 * complaints + 0.6 * reminders - 0.8 * trainer
        + 0.02 * (fee - 45) - 0.6 * (visits > 8) * (months > 12)
    )  # fmt: skip
    left = rng.random(rows) < 1 / (1 + np.exp(-odds))
    joined = datetime(2025, 9, 1) - pd.to_timedelta(months * 30.4 + rng.integers(0, 30, rows), unit="D")
    channel = rng.choice(["Website", "Friend", "Walk-in", "Company scheme"], rows, p=[0.45, 0.25, 0.2, 0.1])
    frame = pd.DataFrame(
        {
            "Member No.": [f"M{number:05d}" for number in rng.permutation(np.arange(10_000, 10_000 + rows))],
            "Age": age.astype(int),
            "Joined": [day.strftime("%d/%m/%Y") for day in joined],
            "Plan": plan,
            "Contract": contract,
            "Monthly Fee": [f"£{value:,.2f}" for value in fee],
            "Paid so far": [f"£{value * count:,.2f}" for value, count in zip(fee, months, strict=True)],
            "Visits per month": visits.round(1),
            "Distance (km)": distance,
            "Personal trainer": np.where(trainer, "yes", "no"),
            "Complaints": complaints,
            "Payment reminders": reminders,
            "How they found us": channel,
            "Cancelled": np.where(left, "Yes", "No"),
        }
    )
    frame.loc[rng.random(rows) < 0.06, "Distance (km)"] = np.nan
    frame["Age"] = frame["Age"].astype(object).where(rng.random(rows) > 0.04, "n/a")
    frame.loc[rng.random(rows) < 0.05, "How they found us"] = None
    return frame


def write_gym_members(folder: Path) -> None:
    """One workbook as an office keeps it: a title above the header, last year's members, and the current ones."""
    from openpyxl import Workbook
    from openpyxl.styles import Font

    members = gym_members(np.random.default_rng(11), 1_500)
    past, current = members.iloc[:1_200], members.iloc[1_200:].drop(columns="Cancelled")
    book = Workbook()
    for sheet, title, frame in (
        (book.active, "Northside Fitness: members of last year and whether they cancelled", past),
        (book.create_sheet(), "Northside Fitness: current members, September 2025", current),
    ):
        sheet.title = "Last year" if frame is past else "Current members"
        sheet.append([title])
        sheet["A1"].font = Font(bold=True, size=14)
        sheet.append([])
        sheet.append(list(frame.columns))
        for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False):
            sheet.append(list(row))
        sheet.freeze_panes = "A4"
    book.save(folder / "members.xlsx")


def bicycles(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Advertisements for used bicycles; `sold_for` in euros."""
    kinds = {"city": 320, "trekking": 480, "road": 780, "mountain": 720, "gravel": 980, "cargo": 2_100, "kids": 110}
    brands = {"Velora": 1.35, "Kestrel": 1.15, "Radmann": 1.0, "Orbis": 0.95, "Pedalo": 0.8, "no name": 0.55}
    conditions = {"like new": 1.2, "good": 1.0, "used": 0.78, "needs repair": 0.45}
    kind = rng.choice(list(kinds), rows, p=[0.24, 0.2, 0.15, 0.18, 0.1, 0.04, 0.09])
    brand = rng.choice(list(brands), rows, p=[0.1, 0.17, 0.24, 0.17, 0.2, 0.12])
    condition = rng.choice(list(conditions), rows, p=[0.18, 0.44, 0.28, 0.1])
    age = np.clip(rng.gamma(2.0, 2.6, rows), 0, 25)
    electric = rng.random(rows) < np.select([kind == "kids", kind == "cargo"], [0.0, 0.6], 0.2)
    gears = np.where(kind == "kids", rng.choice([1, 3, 7], rows), rng.choice([3, 7, 8, 11, 12, 21, 24, 27], rows))
    frame_cm = np.where(kind == "kids", rng.integers(24, 34, rows), rng.integers(46, 64, rows))
    extras = ["new chain", "lights included", "with child seat", "serviced in spring", "scratches on the frame",
              "carbon fork", "hydraulic brakes", "from a smoke-free cellar"]  # fmt: skip
    worth = {"new chain": 1.04, "serviced in spring": 1.06, "scratches on the frame": 0.9, "carbon fork": 1.2,
             "hydraulic brakes": 1.12, "with child seat": 1.03}  # fmt: skip
    said = [list(rng.choice(extras, rng.integers(0, 4), replace=False)) for _ in range(rows)]
    price = (
        np.array([kinds[k] for k in kind]) * np.array([brands[b] for b in brand])
        * np.array([conditions[c] for c in condition]) * np.exp(-0.09 * age) * np.where(electric, 2.1, 1.0)
        * (1 + 0.006 * gears) * np.array([np.prod([worth.get(e, 1.0) for e in texts]) for texts in said])
        * rng.lognormal(0, 0.12, rows)
    )  # fmt: skip
    listed = datetime(2024, 1, 1) + pd.to_timedelta(rng.integers(0, 600, rows), unit="D")
    season = 1 + 0.1 * np.sin((listed.dayofyear.to_numpy() - 80) / 365 * 2 * np.pi)
    openings = ["Selling my", "Well kept", "Hardly used", "Must go:"]
    frame = pd.DataFrame(
        {
            "ad_id": np.arange(1, rows + 1) + 48_000,
            "listed": [day.strftime("%Y-%m-%d") for day in listed],
            "type": kind,
            "brand": brand,
            "condition": condition,
            "bought_in": [
                (day - timedelta(days=float(years) * 365.25)).year for day, years in zip(listed, age, strict=True)
            ],
            "electric": np.where(electric, "yes", "no"),
            "gears": gears,
            "frame_cm": frame_cm,
            "text": [
                f"{rng.choice(openings)} {'electric ' if e else ''}{k} bike" + "".join(f", {extra}" for extra in texts)
                for e, k, texts in zip(electric, kind, said, strict=True)
            ],
            "sold_for": np.maximum(15, np.round(price * season / 5) * 5).astype(int),
        }
    )
    frame["gears"] = frame["gears"].astype("Int64").mask(rng.random(rows) < 0.07)
    frame["frame_cm"] = frame["frame_cm"].astype("Int64").mask(rng.random(rows) < 0.12)
    return frame


def write_used_bicycles(folder: Path) -> None:
    """Three files as a competition hands them out, with a note that says what the columns mean."""
    frame = bicycles(np.random.default_rng(23), 1_600)
    sold, open_ = frame.iloc[:1_300], frame.iloc[1_300:]
    sold.to_csv(folder / "train.csv", index=False)
    open_.drop(columns="sold_for").to_csv(folder / "test.csv", index=False)
    open_[["ad_id"]].assign(sold_for=0).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text(
        "# Used bicycles\n\n"
        "`train.csv` holds advertisements that ended in a sale, `test.csv` those that are still open.\n"
        "Predict `sold_for`, the price in euros, for every advertisement in `test.csv`.\n"
        "Answers are judged by the mean absolute error.\n\n"
        "- listed: day the advertisement appeared\n"
        "- bought_in: year the bicycle was bought new\n"
        "- frame_cm: height of the frame in centimetres\n"
        "- text: the first line of the advertisement\n",
        encoding="utf-8",
    )


def write_italian_wines(folder: Path) -> None:
    """One plain table."""
    from sklearn.datasets import load_wine

    wine = load_wine(as_frame=True)
    names = {"od280/od315_of_diluted_wines": "od280_od315"}
    frame = wine.data.rename(columns=names)
    frame["wine"] = wine.target.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
    frame.sample(frac=1, random_state=5).to_csv(folder / "wines.csv", index=False)


def main() -> None:
    for name, write in (
        ("gym_members", write_gym_members), ("used_bicycles", write_used_bicycles), ("italian_wines", write_italian_wines),
    ):  # fmt: skip
        folder = EXAMPLES / name / "data"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder)


if __name__ == "__main__":
    main()
