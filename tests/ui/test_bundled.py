from __future__ import annotations

from pathlib import Path

from mlzero.ui.bundled import examples, lay_example


def test_examples_are_listed_and_laid_out(tmp_path: Path) -> None:
    good = tmp_path / "assets" / "shop"
    good.mkdir(parents=True)
    (good / "example.yaml").write_text("title: Shop\ngoal: Predict x\ndescription: Few rows\n")
    (good / "train.csv").write_text("x,y\n1,2\n")
    for name, text in (("broken", "title: ["), ("partial", "title: only"), ("list", "- a")):
        (tmp_path / "assets" / name).mkdir()
        (tmp_path / "assets" / name / "example.yaml").write_text(text)
    found = examples(tmp_path / "assets")
    assert [(e.name, e.title, e.goal) for e in found] == [("shop", "Shop", "Predict x")]
    lay_example(found[0], tmp_path / "data")
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["train.csv"]


def test_every_bundled_example_is_complete() -> None:
    root = Path(__file__).resolve().parents[2] / "assets" / "examples"
    found = examples(root)
    assert len(found) == sum(1 for p in root.glob("*") if p.is_dir())
    assert all(any(p.name != "example.yaml" for p in e.folder.iterdir()) and e.goal for e in found)
