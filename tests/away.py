"""A predictor away from home: its own `predict.py`, out of the zip, where MLZero is not installed."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

WITHOUT_MLZERO = "import runpy, sys; sys.modules['mlzero'] = None; runpy.run_path('predict.py', run_name='__main__')"


def predict_away(archive: Path, source: Path, out: Path) -> Path:
    """Predict `source` with the zip `archive`, unpacked beside `out`, into `out`."""
    home = out.parent / "elsewhere"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home)
    command = [sys.executable, "-c", WITHOUT_MLZERO, str(source), "--out", str(out)]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return out
