"""The program `mlzero`. Whoever interrupts it before a run has begun gets one line."""

from __future__ import annotations

import sys
from typing import NoReturn

INTERRUPTED = 130  # exit status, as shells give it


def main() -> NoReturn:
    """Entry point; exit statuses as in `interfaces.cli.main`, and 130 when interrupted."""
    try:
        from mlzero.interfaces import cli

        cli.main()
    except KeyboardInterrupt:
        status: object = INTERRUPTED
    except SystemExit as end:
        status = end.code
    if status == INTERRUPTED:
        print("Interrupted.", file=sys.stderr)
    sys.exit(status)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
