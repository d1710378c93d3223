"""Example data that comes with the app."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

DESCRIPTION = "example.yaml"


@dataclass(frozen=True)
class Example:
    """One bundled data set with a goal that fits it."""

    name: str
    title: str
    goal: str
    description: str
    folder: Path


def examples(root: Path) -> list[Example]:
    """The examples below `root`, by name; folders without a readable description are passed over."""
    import yaml

    found = []
    for sheet in sorted(root.glob(f"*/{DESCRIPTION}")):
        try:
            facts = yaml.safe_load(sheet.read_text(encoding="utf-8"))
            found.append(
                Example(
                    sheet.parent.name,
                    str(facts["title"]),
                    str(facts["goal"]),
                    str(facts.get("description", "")),
                    sheet.parent,
                )
            )
        except (yaml.YAMLError, KeyError, TypeError, AttributeError):
            continue
    return found


def lay_example(example: Example, into: Path) -> None:
    """Copy the example's data, without its description, into the folder `into`."""
    from mlzero.perception.unpack import lay_out

    with tempfile.TemporaryDirectory(prefix="mlzero-example-") as folder:
        copy = Path(folder) / example.name
        shutil.copytree(example.folder, copy, ignore=shutil.ignore_patterns(DESCRIPTION))
        lay_out(copy, into)
