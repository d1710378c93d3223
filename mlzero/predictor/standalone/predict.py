"""Predict new rows with the predictor in this folder.

    python predict.py NEW_DATA --out predictions.csv
    python predict.py --row size=120 --row city=Graz
    python predict.py NEW_DATA --check
    python predict.py NEW_DATA --why 17

NEW_DATA is a file (or folder) in the form of the training data; the answer column is not needed. Answers that are
pictures are written into a folder of the name given, or into a zip file when the name ends so.
`--why 17` tells which cells of the 17th row its answer comes from.
Exit status: 0 done, 2 something to correct, said in one sentence, 1 a fault.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    command = import_module("standalone.command")
    command.leave(command.main())
