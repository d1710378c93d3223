"""The rules of docs/design.md about who may import whom, read from the source."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "mlzero").rglob("*.py"))]
BRINGS = {  # modules that come with a required package
    "numpy": "pandas", "starlette": "streamlit", "anyio": "streamlit", "botocore": "boto3", "markupsafe": "jinja2",
    "openai": "pydantic-ai-slim", "anthropic": "pydantic-ai-slim", "pydantic_ai": "pydantic-ai-slim",
    "autogluon": "autogluon", "joblib": "autogluon", "sklearn": "autogluon", "scipy": "autogluon", "PIL": "streamlit",
    "tokenizers": "autogluon", "skimage": "autogluon", "torch": "autogluon", "timm": "autogluon",
    "huggingface_hub": "autogluon", "safetensors": "autogluon",
}  # fmt: skip
HEAVY = frozenset(
    """
    pydantic_ai openai anthropic boto3 autogluon torch ray lightgbm catboost xgboost transformers
    """.split()
)

TAKEN_ALONG = "mlzero.predictor.standalone"  # into every predictor, where it is called `standalone`

# From top to bottom; the parts stand side by side, for perception and the recipes share code blocks.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("app", "pages", "mlzero.__main__"),
    ("mlzero.ui",),
    ("mlzero.interfaces",),
    ("mlzero", "mlzero.api"),
    ("mlzero.registry",),
    ("mlzero.engine",),
    ("mlzero.assistant", "mlzero.handover", "mlzero.mailbox", "mlzero.trials"),
    ("mlzero.runs",),
    ("mlzero.perception", "mlzero.semantic_memory", "mlzero.episodic_memory", "mlzero.iterative_coding", "mlzero.llm",
     "mlzero.predictor", "mlzero.events", "mlzero.budget", "mlzero.files", "mlzero.config", "mlzero.errors", "mlzero.processes",
     "mlzero.stopwatch", "mlzero.version"),
)  # fmt: skip
# What the types at the seams may rest on.
SEAMS = {
    "mlzero.errors": set(),
    "mlzero.perception.profile": set(),
    "mlzero.perception.task": {"mlzero.perception.profile"},
    "mlzero.events": {"mlzero.perception.profile"},
    "mlzero.iterative_coding.contract": {"mlzero.perception.profile", "mlzero.perception.task"},
}


@dataclass(frozen=True)
class Import:
    """One import statement, by the full name of what it imports."""

    module: str
    line: int
    at_top: bool  # runs when the importing module is imported


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in FILES}


def imports(path: Path) -> list[Import]:
    """Every import of a file, also within functions; those for type checkers only are left out."""
    found: list[Import] = []

    def walk(nodes: list[ast.stmt] | Iterator[ast.AST], at_top: bool) -> None:
        for node in nodes:
            if isinstance(node, ast.Import):
                found.extend(Import(alias.name, node.lineno, at_top) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = str(node.module)
                if node.level:
                    here = module_name(path.parent / "__init__.py")
                    assert here == TAKEN_ALONG and node.level == 1, f"{path}:{node.lineno} imports relatively"
                    module = f"{here}.{node.module}" if node.module else here
                for alias in node.names:
                    full = f"{module}.{alias.name}"
                    found.append(Import(full if full in NAMES else module, node.lineno, at_top))
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                walk(node.orelse, at_top)
            else:
                inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
                walk(ast.iter_child_nodes(node), at_top and not inside)

    walk(ast.parse(path.read_text(encoding="utf-8")).body, True)
    return found


def layer(module: str) -> int:
    """Place from the top; the longest matching name counts."""
    best = max(
        ((len(name), rank) for rank, names in enumerate(LAYERS) for name in names
         if module == name or (name != "mlzero" and module.startswith(f"{name}."))),
        default=None,
    )  # fmt: skip
    assert best is not None, f"{module} has no place in the layers of docs/design.md: give it one in LAYERS"
    return best[1]


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("name", NAMES)
def test_imports_point_down(name: str) -> None:
    up = [
        f"line {found.line}: {found.module}"
        for found in imports(NAMES[name])
        if found.module in NAMES and layer(found.module) < layer(name)
    ]
    assert not up, f"{name} imports from above: {up}"


@pytest.mark.parametrize("name", NAMES)
def test_only_the_pages_import_streamlit(name: str) -> None:
    if within(name, "app") or within(name, "pages") or within(name, "mlzero.ui"):
        return
    assert not [found.line for found in imports(NAMES[name]) if within(found.module, "streamlit")]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_heavy_at_import(name: str) -> None:
    heavy = [f.module for f in imports(NAMES[name]) if f.at_top and f.module.partition(".")[0] in HEAVY]
    assert not heavy, f"{name} imports {heavy} at the top: import them where they are used"


@pytest.mark.parametrize("name", SEAMS)
def test_seams_rest_on_each_other_only(name: str) -> None:
    assert {found.module for found in imports(NAMES[name]) if found.module in NAMES} <= SEAMS[name]


@pytest.mark.parametrize("name", [n for n in NAMES if within(n, "mlzero.semantic_memory.blocks")])
def test_blocks_work_without_mlzero(name: str) -> None:
    """Their source goes into solutions, which depend on public libraries only."""
    own = {f.module for f in imports(NAMES[name]) if within(f.module, "mlzero")}
    assert all(within(module, "mlzero.semantic_memory.blocks") for module in own), own


@pytest.mark.parametrize("name", [n for n in NAMES if within(n, TAKEN_ALONG)])
def test_what_goes_into_the_predictor_works_without_mlzero(name: str) -> None:
    own = {f.module for f in imports(NAMES[name]) if within(f.module, "mlzero")}
    assert all(within(module, TAKEN_ALONG) for module in own), own
    assert "mlzero." not in re.sub(r'"""(.|\n)*?"""', "", NAMES[name].read_text(encoding="utf-8"))


def test_no_module_needs_itself() -> None:
    """No circle of imports at the top of modules."""
    graph = {name: {f.module for f in imports(path) if f.at_top and f.module in NAMES} for name, path in NAMES.items()}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for below in sorted(graph[name]):
                visit(below, (*way, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_what_is_imported_is_required() -> None:
    """Or it comes with a package that is required, or is one of the optional weights."""
    lines = [line for file in ROOT.glob("requirements*.txt") if "dev" not in file.name for line in file.open()]
    required = {re.split(r"[^A-Za-z0-9-]", line)[0] for line in lines}
    from_whom = packages_distributions()
    tops = {f.module.partition(".")[0] for path in FILES for f in imports(path)} - {"mlzero", *sys.stdlib_module_names}
    homeless = {top for top in tops if not (set(map(str.lower, from_whom.get(top, []))) & required)}
    assert homeless <= set(BRINGS), homeless
    assert set(BRINGS.values()) <= required


def fresh(code: str) -> list[str]:
    """The lines a new process prints."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()


def test_import_is_quick_and_light() -> None:
    code = "import time; t = time.perf_counter(); import mlzero; print(time.perf_counter() - t)"
    assert min(float(fresh(code)[0]) for _ in range(3)) < 0.5
    loaded = json.loads(fresh("import json, sys, mlzero; print(json.dumps([*sys.modules]))")[0])
    assert not {"pandas", "numpy", "streamlit", *HEAVY} & set(loaded)


@pytest.mark.parametrize("name", [n for n in NAMES if within(n, "mlzero.interfaces")])
def test_the_command_line_starts_without_pandas(name: str) -> None:
    loaded = json.loads(fresh(f"import json, sys, {name}; print(json.dumps([*sys.modules]))")[0])
    assert not {"pandas", "streamlit", *HEAVY} & set(loaded)


def test_the_interface_starts_without_the_engine() -> None:
    """Who only inspects waits for no library that trains: the upload is read in a process of its own."""
    loaded = json.loads(fresh("import json, sys, mlzero.api; print(json.dumps([*sys.modules]))")[0])
    assert not {"numpy", "pandas", "mlzero.engine", *HEAVY} & set(loaded)


def test_an_upload_is_read_without_libraries_that_train(tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text("size,sold\n" + "".join(f"{n},{'yn'[n % 2]}\n" for n in range(40)))
    for n in range(40):
        (tmp_path / f"note{n}.md").write_text(f"Case {n} was looked at.\n")
    lines = ["from pathlib import Path", "from mlzero.perception.scan import profile", "import json, sys"]
    lines += [f"found = profile(Path({str(tmp_path)!r}))", "print(json.dumps([*sys.modules]))"]
    assert not {"sklearn", "scipy", *HEAVY} & set(json.loads(fresh("\n".join(lines))[0]))
