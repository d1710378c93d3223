"""Set limits, then become the program: `python -I -S -c <this text> MEMORY_MB FILE_MB PROGRAM ARGS...`.

Standard library only; it runs inside the sandbox before anything else. A limit of 0 is none.
"""

import os
import resource
import signal
import sys


def limit(kind, mb):
    if mb:
        hard = resource.getrlimit(kind)[1]
        wanted = mb * 2**20
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            pass  # not enforced on this system; the watcher outside still is


def end_with_parent():
    """Ask Linux to end this process when the one that started it ends."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (ImportError, OSError, AttributeError):
        pass


def main():
    memory_mb, file_mb, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    limit(resource.RLIMIT_DATA, memory_mb)
    limit(resource.RLIMIT_FSIZE, file_mb)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("800")  # when memory runs out, this program goes before the one that started it
    except OSError:
        pass
    if sys.platform == "linux":
        end_with_parent()
    os.execvp(program[0], program)


main()
