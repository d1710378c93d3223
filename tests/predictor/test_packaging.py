"""From a run's folder to a predictor that works elsewhere, in real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib import metadata
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.iterative_coding.sandbox import choose
from mlzero.predictor.proof import first_difference, prove
from mlzero.predictor.requirements import used_packages
from mlzero.predictor.unpacking import unpack

from .conftest import SOLUTION, Made


def test_the_zip_holds_what_is_needed_and_nothing_of_the_training(made: Made) -> None:
    with zipfile.ZipFile(made.archive) as archive:
        names = set(archive.namelist())
        contract = json.loads(archive.read("contract.json"))
        sample = archive.read("sample_input.csv").decode()
        readme = archive.read("README.md").decode()
    assert names == {
        "solution.py", "predict.py", "contract.json", "requirements.txt", "README.md", "sample_input.csv", "model/means.json",
        *(f"standalone/{name}.py" for name in ("__init__", "answers", "command", "dialect", "inputs", "pictures", "reasons")),
    }  # fmt: skip
    assert [(c["name"], c["kind"]) for c in contract["columns"]] == [("town", "category"), ("size", "number")]
    assert [c["empty"] for c in contract["columns"]] == [0.0, 0.2]
    assert sample.splitlines()[:2] == ["key;town;size", "007;Graz;1,5"]
    assert "mean absolute error" in readme.lower() and "212 rows the model never saw" in readme
    assert "--row" in readme and "--why" in readme and "--probabilities" not in readme  # a number of a table
    assert not made.archive.with_name("predictor.zip.part").exists()


@pytest.mark.parametrize(
    ("source", "kind", "wanted"),
    [
        ("import json\nimport pandas as pd\n", "csv", {"pandas"}),
        ("import pandas\nfrom sklearn.svm import SVC\n", "parquet", {"pandas", "pyarrow", "scikit-learn"}),
        ("def f():\n    from autogluon.tabular import TabularPredictor\n", "csv",
         {"pandas", "numpy", "scipy", "scikit-learn", "autogluon.tabular", "lightgbm"}),
    ],
)  # fmt: skip
def test_requirements_are_what_is_used(source: str, kind: str, wanted: set[str], tmp_path: Path) -> None:
    (tmp_path / "autogluon/models/LightGBM_BAG_L1").mkdir(parents=True)
    if "autogluon" in source:
        (tmp_path / "autogluon/models/LightGBM_BAG_L1/model.pkl").touch()
    found = used_packages(source, tmp_path, kind)
    assert set(found) == wanted | {"openpyxl"}  # Excel is written on demand
    assert found["pandas"] == metadata.version("pandas")


@pytest.mark.parametrize("sandbox", ["restricted", "auto"])
def test_a_predictor_is_proven(made: Made, sandbox: str) -> None:
    proof = prove(made.archive, made.final, choose(sandbox))
    assert proof.ok, proof.text
    assert "fresh process" in proof.text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('replace(",", ".")', 'replace(",", "")', "it gives 215.0 for price in sample row 1, where the run's model gives 201.5"),
        ('"""The price."""', 'raise OSError("no such model")', "did not predict: OSError: no such model"),
        ('"""The price."""', "import mlzero", "did not predict: ModuleNotFoundError: import of mlzero halted"),
        ('Path(model_dir) / "means.json"', 'Path("{final}") / "model" / "means.json"', "did not predict: FileNotFoundError"),
        ("fillna(0)}, index=rows.index)", "fillna(0)}, index=rows.index).head(2)", "did not predict"),
    ],
)  # fmt: skip
def test_a_predictor_that_does_not_hold_is_not_proven(made: Made, old: str, new: str, said: str) -> None:
    sandbox = choose()
    if "{final}" in new and not sandbox.isolated:
        pytest.skip("Without a sandbox the folder of the training stays in sight.")
    assert old in SOLUTION
    (made.final / "solution.py").write_text(SOLUTION.replace(old, new.replace("{final}", str(made.final))))
    proof = prove(made.pack(), made.final, sandbox)
    assert not proof.ok
    assert said in proof.text


def test_what_the_run_wrote_is_compared_too(made: Made) -> None:
    (made.data / "open.csv").write_text("key;town;size\n020;Graz;1,5\n021;Linz;7\n", encoding="utf-8")
    from mlzero.perception.scan import profile
    from mlzero.perception.task import RowSource

    task = made.task.model_copy(update={"test": [RowSource(table="open.csv")]})
    with_rows = Made(task, profile(made.data), made.evaluation, made.data, made.final, made.archive)
    written = made.final / "predictions.csv"
    written.write_text("key,price\n020,201.5\n021,307.0\n")
    assert prove(with_rows.pack(), made.final, choose()).ok
    written.write_text("key,price\n020,201.5\n021,999.0\n")
    proof = prove(with_rows.pack(), made.final, choose())
    assert not proof.ok and "where the run's model gives 999.0" in proof.text


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`python predict.py` as at home: another folder, nothing of this project on the path."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "MLZERO"))}
    command = [sys.executable, str(folder / "predict.py"), *arguments]
    return subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def home(made: Made, tmp_path: Path) -> Path:
    """The predictor unpacked in a folder with blanks; what it was made from is gone."""
    folder = tmp_path / "at home" / "Größe 1"
    unpack(made.archive, folder)
    made.final.rename(tmp_path / "gone")
    return folder


def test_the_command_line(home: Path, later: Path) -> None:
    ended = run(home, str(later), "--out", "neu/answers.csv")
    assert ended.returncode == 0, ended.stderr
    assert (home.parent / "neu/answers.csv").read_text() == "key,price\n012,201.5\n0013,302.5\n"
    assert ended.stderr.strip() == f"Written to {Path('neu/answers.csv')}"
    checked = run(home, str(later), "--check")
    assert (checked.returncode, checked.stderr.strip()) == (0, "Everything needed is there.")
    assert run(home, "--check").returncode == 0


def test_one_row_typed(home: Path) -> None:
    ended = run(home, "--row", "town=Linz", "size=4,5", "--out", "one.json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads((home.parent / "one.json").read_text())[0]["price"] == 304.5
    rest = run(home, "--row", "town=Linz")
    assert rest.returncode == 0 and "Note: Not given, so taken as usual: size = " in rest.stderr
    wrong = run(home, "--row", "twon=Linz")
    assert wrong.returncode == 2
    assert wrong.stderr.strip() == 'There is no column "twon"; is it "town"? The columns are "town", "size".'


@pytest.mark.parametrize("arguments", [[], ["--row", "town"], ["x.csv", "--row", "town=Graz"], ["no such file.csv"]])
def test_wrong_use_is_status_2(home: Path, arguments: list[str]) -> None:
    ended = run(home, *arguments)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("../evil.txt", "is not safe to unpack: ../evil.txt"),
        ("/tmp/evil.txt", "is not safe to unpack"),
        ("model\\..\\..\\evil.txt", "is not safe to unpack"),
        ("C:/evil.txt", "is not safe to unpack"),
        ("model/means.json", "is damaged"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_unsafe_members_are_refused(made: Made, tmp_path: Path, member: str, said: str) -> None:
    with zipfile.ZipFile(made.archive, "a") as archive:
        archive.writestr(member, "x")
    with pytest.raises(UserError, match=r"predictor\.zip") as error:
        unpack(made.archive, tmp_path / "deep" / "there")
    assert said in error.value.message
    assert not list(tmp_path.rglob("evil*"))


def test_links_and_bombs_are_refused(made: Made, tmp_path: Path) -> None:
    link = zipfile.ZipInfo("model/link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(made.archive, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(UserError, match="not safe"):
        unpack(made.archive, tmp_path / "there")
    made.pack()
    bomb = zipfile.ZipInfo("model/zeros")
    with zipfile.ZipFile(made.archive, "a") as archive:
        archive.writestr(bomb, b"0")
        bomb.file_size = 5 * 10**9
    with pytest.raises(UserError, match=r"would become 5.0 GB"):
        unpack(made.archive, tmp_path / "other")


def test_a_folder_around_everything_is_taken_off(made: Made, tmp_path: Path) -> None:
    with zipfile.ZipFile(made.archive) as archive, zipfile.ZipFile(tmp_path / "again.zip", "w") as again:
        again.writestr("__MACOSX/._predict.py", "x")
        for name in archive.namelist():
            again.writestr(f"my predictor/{name}", archive.read(name))
    unpack(tmp_path / "again.zip", tmp_path / "there")
    assert {p.name for p in (tmp_path / "there").iterdir()} >= {"predict.py", "model"}
    assert not (tmp_path / "there" / "__MACOSX").exists()


def test_pictures_are_the_same_when_few_pixels_differ() -> None:
    def png(changed: int) -> bytes:
        pixels = np.zeros((20, 20), dtype=np.uint8)
        pixels.ravel()[:changed] = 1
        file = BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        return file.getvalue()

    wanted = pd.DataFrame({"mask": [png(0), png(0)]})
    assert not first_difference(pd.DataFrame({"mask": [png(0), png(3)]}), wanted)
    assert "sample row 2" in first_difference(pd.DataFrame({"mask": [png(0), png(9)]}), wanted)
