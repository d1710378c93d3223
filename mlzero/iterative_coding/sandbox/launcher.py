"""Set limits, then become the program: `python -I -S -c <this text> MEMORY_MB FILE_MB PROGRAM ARGS...`.

Standard library only; it runs inside the sandbox before anything else. A limit of 0 is none.
"""

import contextlib
import os
import resource
import signal
import sys


def limit(kind, mb):
    if mb:
        hard = resource.getrlimit(kind)[1]
        wanted = mb * 2**20
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(ValueError, OSError):  # where it cannot be set, the watcher outside still looks
            resource.setrlimit(kind, (value, value))


def end_with_parent():
    """Ask Linux to end this process when the one that started it ends."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))


def main():
    memory_mb, file_mb, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    limit(resource.RLIMIT_DATA, memory_mb)
    limit(resource.RLIMIT_FSIZE, file_mb)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("800")  # when memory runs out, this program goes before the one that started it
    if sys.platform == "linux":
        end_with_parent()
    os.execvp(program[0], program)


main()
