"""Set-up and documents agree with the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNS_COMMANDS = ("list", "show", "resume", "delete")


def requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_has_a_reason_and_a_lower_bound(name: str) -> None:
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for requirement in requirements(name):
        assert re.search(rf"\b{re.escape(requirement.name)}\b", reasons), f"{requirement.name} is not explained"
        assert {clause.operator for clause in requirement.specifier} & {">=", "~="}, requirement


def test_no_reason_outlives_its_package() -> None:
    table = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| ([a-z0-9-]+) \|", table, re.MULTILINE)) - {"package"}
    assert explained == {requirement.name for requirement in requirements("requirements.txt")}


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_one_streamlit_for_every_python(version: str) -> None:
    wanted = [r for r in requirements("requirements.txt") if r.name == "streamlit"]
    assert sum(r.marker is None or r.marker.evaluate({"python_version": version}) for r in wanted) == 1


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().endswith("make test")
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_links_in_documents_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for command in re.findall(r"\bmake ([a-z]+)", "\n".join(re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL))):
        assert command in targets(), f"make {command}"
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in link:
            assert (document.parent / link).exists(), link


def test_the_makefile_says_what_it_offers() -> None:
    head = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n", 1)[0]
    offered = set(re.findall(r"make ([a-z]+)", head)) | set(re.findall(r"/ ([a-z]+)", head))
    assert offered == targets()


@pytest.mark.parametrize("command", ["solve", "inspect", "predict", "mcp", *(f"runs {name}" for name in RUNS_COMMANDS)])
def test_documented_options_exist(command: str) -> None:
    """Every option that docs/interfaces.md shows for a command is in its help, and the command is shown."""
    shown = re.findall(rf"^mlzero {command}\b(.*)$", (ROOT / "docs" / "interfaces.md").read_text(), re.MULTILINE)
    assert shown
    said = subprocess.run(
        [sys.executable, "-m", "mlzero", *command.split(), "--help"],
        capture_output=True, text=True, check=True, env={"COLUMNS": "200", "NO_COLOR": "1"},
    ).stdout  # fmt: skip
    for option in re.findall(r"--[a-z-]+", " ".join(shown)):
        assert option in said, option


@pytest.mark.parametrize(
    ("present", "user", "said"),
    [
        ([], 1000, "Missing: bubblewrap chromium."),
        (["bwrap"], 1000, "Missing: chromium."),
        (["chromium", "apt-get"], 1000, "Missing: bubblewrap."),
        (["apt-get"], 0, "apt-get install -y -qq --no-install-recommends bubblewrap chromium"),
        ([], 0, "Missing: bubblewrap chromium."),
        (["bwrap", "google-chrome"], 1000, ""),
        (["bwrap", "chromium", "apt-get"], 0, ""),
    ],
)
def test_system_packages_are_installed_or_named(tmp_path: Path, present: list[str], user: int, said: str) -> None:
    """A machine that has only `present`, where every program says how it was called."""
    for name in ("bash", "cat"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    programs = {name: f'echo {name} "$@"' for name in present} | {"id": f"echo {user}"}
    for name, script in programs.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n")
        (tmp_path / name).chmod(0o755)
    ended = subprocess.run(
        ["bash", str(ROOT / "tests" / "system_packages.sh")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0
    assert said in ended.stdout if said else not ended.stdout
