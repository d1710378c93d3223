"""How long looking at large uploads takes, and how much memory: `python bench/perception.py [images|table|mixed]`.

Made-up uploads: a folder of 100,000 small pictures, a CSV of 1 GB, 200 mixed files. Wanted on two cores: 15 s,
20 s and 1 GB, 5 s.
"""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

GOALS = {"images": "Tell cats from dogs", "table": "Predict churn", "mixed": "Predict sold"}


def images(folder: Path) -> None:
    """100,000 JPEG files of a few hundred bytes, in two folders of classes."""
    from PIL import Image

    dice = np.random.default_rng(0)
    kinds = []
    for _ in range(50):
        content = io.BytesIO()
        Image.fromarray(dice.integers(0, 255, (24, 24, 3), dtype=np.uint8)).save(content, "jpeg")
        kinds.append(content.getvalue())
    for name in ("cats", "dogs"):
        (folder / name).mkdir()
        for n in range(50_000):
            (folder / name / f"{n:05}.jpg").write_bytes(kinds[n % 50])


def table(folder: Path) -> None:
    """A CSV of 1 GB with 12 columns of several kinds."""
    dice = np.random.default_rng(0)
    rows = 200_000
    part = pd.DataFrame(
        {
            "customer": np.arange(rows) + 10_000_000,
            "since": (pd.Timestamp("2015-01-01") + pd.to_timedelta(dice.integers(0, 3000, rows), "D")).strftime("%Y-%m-%d"),
            "plan": dice.choice(["basic", "plus", "family", "business"], rows),
            "town": dice.choice([f"town {n}" for n in range(500)], rows),
            "remark": dice.choice(["called twice about the bill", "", "asks for a better price", "moved away"], rows),
            **{f"use_{n}": dice.normal(100, 20, rows).round(3) for n in range(6)},
            "churn": dice.choice(["yes", "no"], rows, p=[0.2, 0.8]),
        }
    )  # fmt: skip
    with (folder / "customers.csv").open("w") as file:
        file.write(",".join(part.columns) + "\n")
        text = part.to_csv(index=False, header=False)
        while file.tell() < 1_000_000_000:
            file.write(text)


def mixed(folder: Path) -> None:
    """200 files: tables of several formats, texts, pictures and recordings."""
    import soundfile
    from PIL import Image

    dice = np.random.default_rng(0)
    for n in range(200):
        rows = pd.DataFrame(
            {"size": dice.normal(0, 1, 200), "kind": dice.choice(["a", "b"], 200), "sold": dice.choice(["y", "n"], 200)}
        )
        match n % 8:
            case 0 | 1:
                rows.to_csv(folder / f"t{n}.csv", index=False)
            case 2:
                rows.to_csv(folder / f"t{n}.txt", index=False, sep="\t")
            case 3:
                rows.to_json(folder / f"t{n}.json", orient="records")
            case 4:
                rows.to_parquet(folder / f"t{n}.parquet")
            case 5:
                (folder / f"note{n}.md").write_text(f"# Note {n}\n\nThe table t{n} holds sizes and kinds.\n")
            case 6:
                Image.fromarray(dice.integers(0, 255, (64, 64, 3), dtype=np.uint8)).save(folder / f"p{n}.png")
            case _:
                soundfile.write(folder / f"r{n}.wav", dice.normal(0, 0.1, 8000), 8000)


UPLOADS: dict[str, Callable[[Path], None]] = {"images": images, "table": table, "mixed": mixed}


def look(folder: Path, goal: str) -> None:
    """In a process of its own: seconds and the most memory it took."""
    from mlzero.perception.rereading import settled
    from mlzero.perception.scan import profile
    from mlzero.perception.understand import infer_task

    begun = time.monotonic()
    found = settled(profile(folder), folder, goal, {})
    seen = time.monotonic() - begun
    task = infer_task(found, folder, goal)
    whole = time.monotonic() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(found.files):,} files looked at in {seen:.1f} s, understood in {whole:.1f} s "
        f"({time.process_time():.1f} s of processor time), {peak:,.0f} MB at most: {task.problem_type.value}"
    )


def main() -> None:
    if sys.argv[1:2] == ["--look"]:
        look(Path(sys.argv[2]), sys.argv[3])
        return
    for name in sys.argv[1:] or UPLOADS:
        with tempfile.TemporaryDirectory() as folder:
            UPLOADS[name](Path(folder))
            print(f"{name}: ", end="", flush=True)
            subprocess.run([sys.executable, __file__, "--look", folder, GOALS[name]], check=True)


if __name__ == "__main__":
    main()
