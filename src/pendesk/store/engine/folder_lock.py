"""Who has a data folder open: kernel locks on files in it, which end with their process, however it ends.

Whoever works with the data shares one lock; whoever replaces or migrates it holds that lock alone. A SQLite server
holds a second one, which no other server gets. Each holder also leaves a note of who it is, locked as long as it
lives, so that a refusal can name it.
"""

import errno
import json
import logging
import os
import secrets
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pendesk import __version__

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("pendesk")

FOLDER = "locks"
DATA_LOCK = "data.lock"
SERVER_LOCK = "server.lock"
POLL_S = 0.05
# What replaces or migrates the data comes to an end: who starts meanwhile waits for it.
SHARED_WAIT_S = 30.0
# How file systems answer that have no locks.
_UNSUPPORTED = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOLCK, errno.EINVAL}


class InUse(Exception):
    """Another process holds the data; the text names it and says what to do."""


class Unsupported(Exception):
    """There are no locks here: neither the system nor the file system has them."""


class ProcessInfo(NamedTuple):
    """Who holds a lock. Only a server has a `url`."""

    command: str
    url: str
    pid: int
    host: str
    version: str

    def __str__(self) -> str:
        name = f"the server at {self.url}" if self.url else f"`{self.command}`"
        place = "" if self.host == socket.gethostname() else f" on {self.host}"
        return f"{name} (process {self.pid}{place}, pendesk {self.version})"


def this_process_info(command: str, server_url: str = "") -> ProcessInfo:
    return ProcessInfo(command, server_url, os.getpid(), socket.gethostname(), __version__)


@contextmanager
def hold_shared_lock(folder: Path, process: ProcessInfo, wait_s: float = SHARED_WAIT_S) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            if not _acquire_file_lock(stack, folder, DATA_LOCK, exclusive=False, wait_s=wait_s):
                raise InUse(
                    f"{_describe_processes(lock_holders(folder))} is changing the data in {folder}. Try again when it "
                    "is done."
                )
            _write_lock_holder_file(stack, folder, process)
        except Unsupported:
            if process.url:  # once, in the log of the server; not with each command
                log.warning("%s has no file locks: nothing keeps a restore or a second server away from it", folder)
        yield


@contextmanager
def hold_exclusive_lock_if_supported(folder: Path, process: ProcessInfo, wait_s: float) -> Iterator[bool]:
    """False where there are no locks: then nobody can be excluded."""
    with ExitStack() as stack:
        try:
            if not _acquire_file_lock(stack, folder, DATA_LOCK, exclusive=True, wait_s=wait_s):
                raise InUse(
                    f"{_describe_processes(lock_holders(folder))} has {folder} open. Stop it, then run this again."
                )
            _write_lock_holder_file(stack, folder, process)
        except Unsupported:
            yield False
        else:
            yield True


@contextmanager
def hold_single_server_lock(folder: Path) -> Iterator[None]:
    """One SQLite file has one server: a second one would count limits and wake readers for itself."""
    with ExitStack() as stack:
        try:
            if not _acquire_file_lock(stack, folder, SERVER_LOCK, exclusive=True, wait_s=0):
                running = [holder for holder in lock_holders(folder) if holder.url]
                raise InUse(
                    f"{_describe_processes(running)} serves {folder} already. Open it there, or stop it first. Several "
                    "servers on the same data need PostgreSQL: set PENDESK_DATABASE_URL (docs/self-host.md,"
                    " PostgreSQL)."
                )
        except Unsupported:
            pass  # `hold_shared_lock` says so, a moment later
        yield


def lock_holders(folder: Path) -> list[ProcessInfo]:
    """Who has the folder open now. Notes of processes that were killed are cleared away."""
    return [
        process
        for path in sorted((folder / FOLDER).glob("*.json"))
        if (process := _read_holder_or_delete_stale_file(path))
    ]


def supports_file_locks(folder: Path) -> bool:
    try:
        with ExitStack() as stack:
            _acquire_file_lock(stack, folder, DATA_LOCK, exclusive=False, wait_s=0)
    except Unsupported:
        return False
    return True


def _acquire_file_lock(stack: ExitStack, folder: Path, file_name: str, *, exclusive: bool, wait_s: float) -> bool:
    """False if somebody else kept it for as long as that."""
    descriptor = _open_lock_file(folder, file_name)
    stack.callback(os.close, descriptor)
    deadline = time.monotonic() + wait_s
    while not try_lock(descriptor, exclusive=exclusive):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_S)
    return True


def _write_lock_holder_file(stack: ExitStack, folder: Path, process: ProcessInfo) -> None:
    """Only so that others can name us: what cannot be written, on a full disk, keeps nobody from working."""
    path = folder / FOLDER / f"{process.pid}-{secrets.token_hex(4)}.json"
    unlocked = path.with_suffix(".new")  # who looks for holders takes an unlocked one for that of a dead process
    descriptor = _open_lock_file(folder, unlocked.name)
    stack.callback(os.close, descriptor)
    stack.callback(path.unlink, missing_ok=True)
    try_lock(descriptor, exclusive=True)
    with suppress(OSError):
        os.write(descriptor, json.dumps(process._asdict()).encode())
    unlocked.rename(path)


def _read_holder_or_delete_stale_file(path: Path) -> ProcessInfo | None:
    try:
        with path.open("r+b") as file:
            if try_lock(file.fileno(), exclusive=True):
                path.unlink(missing_ok=True)  # nobody holds it: its process is gone
                return None
            return ProcessInfo(**json.loads(file.read()))
    except (OSError, ValueError, TypeError):
        return None  # it is just being written, or taken away


def _open_lock_file(folder: Path, file_name: str) -> int:
    """No link is followed: the folder's owner could lead root astray by one."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return os.open(place / file_name, os.O_RDWR | os.O_CREAT, 0o600)
    directory = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        descriptor = os.open(file_name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=directory)
        if os.geteuid() == 0:
            _chown_to_folder_owner(folder, directory, descriptor)
    finally:
        os.close(directory)
    return descriptor


def _chown_to_folder_owner(folder: Path, *descriptors: int) -> None:
    """What root made belongs to the folder's owner: the service must be able to open it."""
    owner = folder.stat()
    for descriptor in descriptors:
        status = os.fstat(descriptor)
        # A file with a second name may be one that stands elsewhere too.
        if status.st_uid == 0 and (stat.S_ISDIR(status.st_mode) or status.st_nlink == 1):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)


def try_lock(descriptor: int, *, exclusive: bool) -> bool:
    """It lasts until the descriptor is closed, or its process ends."""
    if fcntl is None:
        raise Unsupported
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            raise Unsupported from error
        raise
    return True


def _describe_processes(processes: list[ProcessInfo]) -> str:
    text = " and ".join(map(str, processes)) or "another process"
    return text[0].upper() + text[1:]
