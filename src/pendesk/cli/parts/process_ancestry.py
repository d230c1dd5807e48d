"""The processes above this one, and a mark that no other process on any machine has.

From /proc on Linux, from `ps` on macOS and the like. Elsewhere there is nothing to be seen, and no mark.
"""

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
MAX_ANCESTORS = 50
MAX_ARGUMENTS = 2  # the program and its script; further ones may hold secrets
MARK_DIGITS = 32
COMMAND_TIMEOUT_S = 1.0
# Each with an option of its own: by POSIX what follows a = is a header, up to the end of the argument.
_PS = ("ps", "-A", "-ww", "-o", "pid=", "-o", "ppid=", "-o", "lstart=", "-o", "command=")
_PS_SPLITS = 7  # lstart is five words: Mon Nov 16 10:23:25 2026


class Process(NamedTuple):
    pid: int
    parent_pid: int
    started: str
    name: str
    executable: str
    arguments: tuple[str, ...]


def list_ancestors() -> list[Process]:
    """The parent first. It ends where a process cannot be seen: at the border of a container or a sandbox."""
    processes = None if (PROC / "self/stat").exists() else _processes_from_ps()
    ancestors: list[Process] = []
    pid = os.getppid()
    while pid > 0 and len(ancestors) < MAX_ANCESTORS:
        process = _process_from_proc(pid) if processes is None else processes.get(pid)
        if process is None:
            break
        ancestors.append(process)
        pid = process.parent_pid
    return ancestors


def process_mark(process: Process) -> str | None:
    """The same from every process of this boot that sees the process under the same number; None if that is unknown."""
    boot = _boot_identity()
    if boot is None:
        return None
    text = f"{boot} {process.pid} {process.started}"
    return hashlib.sha256(text.encode()).hexdigest()[:MARK_DIGITS]


def _boot_identity() -> str | None:
    """The PID namespace is a part of it: containers that start together number their processes alike."""
    if not (PROC / "self/stat").exists():
        return _run("sysctl", "-n", "kern.bootsessionuuid") or os.uname().nodename
    try:
        return f"{(PROC / 'sys/kernel/random/boot_id').read_text().strip()} {os.readlink(PROC / 'self/ns/pid')}"
    except OSError:
        return None


def _process_from_proc(pid: int) -> Process | None:
    folder = PROC / str(pid)
    try:
        stat = (folder / "stat").read_text("utf-8", "replace")
        arguments = (folder / "cmdline").read_text("utf-8", "replace").split("\0")[:MAX_ARGUMENTS]
    except OSError:
        return None
    # The name may contain spaces and parentheses itself.
    name, _, rest = stat.partition("(")[2].rpartition(") ")
    fields = rest.split()
    return Process(pid, int(fields[1]), fields[19], name, _executable_or_empty(folder), tuple(arguments))


def _executable_or_empty(folder: Path) -> str:
    try:
        return os.readlink(folder / "exe")
    except OSError:  # another user's
        return ""


def _processes_from_ps() -> dict[int, Process]:
    return {
        process.pid: process
        for line in (_run(*_PS) or "").splitlines()
        if (process := _parse_ps_line(line)) is not None
    }


def _parse_ps_line(line: str) -> Process | None:
    words = line.split(None, _PS_SPLITS)
    if len(words) <= _PS_SPLITS or not (words[0].isdecimal() and words[1].isdecimal()):
        return None
    arguments = tuple(words[_PS_SPLITS].split()[:MAX_ARGUMENTS])
    return Process(
        int(words[0]), int(words[1]), " ".join(words[2:7]), os.path.basename(arguments[0]), arguments[0], arguments
    )


def _run(*command: str) -> str | None:
    import subprocess  # slow to import, and not needed on Linux

    try:
        result = subprocess.run(  # noqa: S603
            command,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return result.stdout.strip()
