"""How long `import mlzero` and `mlzero --help` take in fresh processes: `python bench/startup.py`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

IMPORT = "import time; t = time.perf_counter(); import mlzero; print(time.perf_counter() - t)"
REPEATS = 7


def import_seconds() -> float:
    return float(subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout)


def help_seconds() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "mlzero", "--help"], check=True, capture_output=True)
    return time.perf_counter() - begun


def main() -> None:
    for name, measure in (("import mlzero", import_seconds), ("mlzero --help", help_seconds)):
        print(f"{name}: {statistics.median(measure() for _ in range(REPEATS)):.3f} s (median of {REPEATS})")


if __name__ == "__main__":
    main()
