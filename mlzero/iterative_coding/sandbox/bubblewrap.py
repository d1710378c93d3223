"""Linux namespaces through bubblewrap: own files, processes and users, and no network."""

from __future__ import annotations

import functools
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from mlzero.iterative_coding.sandbox.base import environment, launch
from mlzero.iterative_coding.sandbox.job import Job

PASSWD = b"sandbox:x:1000:1000::/tmp:/bin/sh\n"
HOSTS = b"127.0.0.1 localhost sandbox\n"
SYSTEM = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/localtime",
    "/etc/ssl",
    "/sys/devices/system/cpu",
)
SHARED_MEMORY = 2 * 2**30  # bytes
TEMPORARY = 4 * 2**30  # bytes
APART = ("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000",
         "--gid", "1000", "--hostname", "sandbox")  # fmt: skip
DENIED = """
    ptrace process_vm_readv process_vm_writev mount umount2 pivot_root chroot keyctl add_key request_key bpf
    perf_event_open userfaultfd kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff
    acct quotactl settimeofday clock_settime setns unshare open_by_handle_at name_to_handle_at io_uring_setup
    io_uring_enter io_uring_register move_pages fsopen fsmount move_mount open_tree
"""
PUSH_INPUT = 0x5412  # ioctl TIOCSTI: types into the terminal of whoever started the program


class Bubblewrap:
    """Generated code sees the system's programs, the files it is given and nothing else."""

    name = "bubblewrap"
    isolated = True
    description = (
        "Generated code runs in a sandbox (bubblewrap): it sees only the data of this run, read-only, has one folder to "
        "write to, no network and none of your keys."
    )

    def __init__(self, program: str) -> None:
        self._program = program

    def works(self) -> bool:
        """Whether this machine lets it run; a few milliseconds."""
        try:
            with self.start(["true"]) as job:
                return job.wait(10) == 0
        except (OSError, subprocess.TimeoutExpired):
            return False

    def start(
        self,
        argv: Sequence[str],
        *,
        read_only: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        memory_mb: int | None = None,
        file_mb: int | None = None,
        pass_fds: Sequence[int] = (),
        stdout: int | IO[bytes] | None = None,
    ) -> Job:
        """See `Sandbox.start`."""
        cwd = cwd or (writable[0] if writable else None)
        fixed = {"/etc/passwd": _readable(PASSWD), "/etc/hosts": _readable(HOSTS)}
        opened = list(fixed.values())
        command = [self._program, *APART, *self._no_nesting()]
        command += ["--clearenv"]
        for name, value in environment(cwd, "/tmp", env).items():
            command += ["--setenv", name, value]
        command += [*_system(), "--proc", "/proc", "--dev", "/dev"]
        for device in sorted(Path("/dev").glob("nvidia*")):
            command += ["--dev-bind-try", str(device), str(device)]
        command += ["--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm", "--size", str(TEMPORARY), "--tmpfs", "/tmp"]
        for destination, fd in fixed.items():
            command += ["--ro-bind-data", str(fd), destination]
        for path in [*_python_folders(), *read_only]:
            command += ["--ro-bind", str(path), str(path)]
        for path in writable:
            command += ["--bind", str(path), str(path)]
        command += ["--remount-ro", "/"]  # the empty root in which the paths above hang
        command += ["--chdir", str(cwd) if cwd else "/tmp"]
        rules = _system_call_filter()
        if rules:
            opened.append(_readable(rules))
            command += ["--seccomp", str(opened[-1])]
        try:
            process = subprocess.Popen(
                [*command, "--", *launch(argv, memory_mb, file_mb)],
                env={"PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if stdout is None else stdout,
                stderr=subprocess.STDOUT,
                pass_fds=(*pass_fds, *opened),
                start_new_session=True,
            )
        finally:
            for fd in opened:
                os.close(fd)
        return Job(process, tag=None)

    @functools.cached_property
    def _help(self) -> str:
        return subprocess.run([self._program, "--help"], capture_output=True, text=True, timeout=10).stdout

    def _no_nesting(self) -> list[str]:
        """Forbid namespaces within the sandbox where this version can (0.8 and later)."""
        return ["--disable-userns"] if "--disable-userns" in self._help else []


def find() -> Bubblewrap | None:
    """The sandbox, when bubblewrap is installed and allowed to work here."""
    program = shutil.which("bwrap") if sys.platform == "linux" else None
    sandbox = Bubblewrap(program) if program else None
    return sandbox if sandbox and sandbox.works() else None


def _readable(content: bytes) -> int:
    """A descriptor from which `content` is read once."""
    fd = os.memfd_create("content", os.MFD_CLOEXEC)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _system() -> list[str]:
    """Programs and libraries of the system, read-only."""
    found = ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        path = Path(name)
        if path.is_symlink():
            found += ["--symlink", os.readlink(path), name]
        elif path.is_dir():
            found += ["--ro-bind", name, name]
    for name in SYSTEM:
        found += ["--ro-bind-try", name, name]
    return found


@functools.cache
def _python_folders() -> tuple[str, ...]:
    """This interpreter, its environment and its packages, outside of what the system part covers.

    The interpreter of a virtual environment may be reached through several links, each of which must exist inside.
    """

    def folders() -> Iterator[str]:
        yield from (sys.prefix, sys.exec_prefix, sys.base_prefix)
        program = Path(sys.executable)
        while program.is_symlink():
            program = program.parent / os.readlink(program)
            yield str(program.parent.parent)
        yield str(Path(sys.executable).resolve().parent.parent)
        yield str(Path(sys.base_prefix).resolve())
        yield from site.getsitepackages()

    kept: list[str] = []
    for folder in dict.fromkeys(os.path.normpath(f) for f in folders()):
        inside = any(folder == k or folder.startswith(k + "/") for k in ["/usr", *kept])
        if not inside and folder != "/" and Path(folder).is_dir():
            kept.append(folder)
    return tuple(kept)


@functools.cache
def _system_call_filter() -> bytes:
    """Compiled filter of system calls that training never needs; empty when pyseccomp is not installed."""
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):
        return b""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in DENIED.split():
        try:
            rules.add_rule(pyseccomp.ERRNO(1), name)
        except (OSError, ValueError, RuntimeError):
            continue  # unknown to this version of libseccomp
    rules.add_rule(pyseccomp.ERRNO(1), "ioctl", pyseccomp.Arg(1, pyseccomp.EQ, PUSH_INPUT))
    fd = os.memfd_create("filter", os.MFD_CLOEXEC)
    with os.fdopen(fd, "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
