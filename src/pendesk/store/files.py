"""The bytes of attachments: files under random keys in one folder.

A key is made here and has a strict form, so no name that anyone sent ever becomes a path. A file is written under a
passing name, brought to the disk, and only then gets its key. What the disk refuses becomes a refusal here.
"""

import errno
import hashlib
import logging
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pendesk.domain.errors import TooLarge, Unavailable
from pendesk.domain.project import ReceivedFile
from pendesk.store.engine.folder_lock import Unsupported, try_lock

log = logging.getLogger("pendesk.files")

_KEY = re.compile(r"[0-9a-f]{32}\Z")
_DRAFT = "draft-"
HELD_WITHOUT_LOCKS_S = 24 * 3600
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # a link is not followed
_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def _raise_unavailable_on_os_error(read_or_write: str) -> Iterator[None]:
    """A disk that is full, read-only, broken or gone is told like a database that cannot write."""
    try:
        yield
    except OSError as error:
        log.warning("the server cannot %s its data folder: %s", read_or_write, error)
        cure = "free some space there" if error.errno in _FULL else "check the disk and the rights of the folder"
        why = f"The server cannot {read_or_write} its data folder ({error.strerror})."
        raise Unavailable(f"{why} Nothing was changed; {cure}, then try again.") from error


class Upload:
    """One file on its way in: write, then keep; left without keep, nothing remains."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self.size_bytes = 0
        self._hash = hashlib.sha256()

    def __enter__(self) -> Self:
        self._draft = self._folder / f"{_DRAFT}{secrets.token_hex(16)}"
        with _raise_unavailable_on_os_error("write to"):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._file = os.fdopen(os.open(self._draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # what could not be written is not kept either
            self._file.close()
        _try_remove(self._draft)

    def write(self, chunk: bytes) -> None:
        self.size_bytes += len(chunk)
        if self.size_bytes > self._limit_bytes:
            raise TooLarge(f"The file is larger than {self._limit_bytes} bytes.", limit=self._limit_bytes)
        self._hash.update(chunk)
        with _raise_unavailable_on_os_error("write to"):
            self._file.write(chunk)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def save(self) -> ReceivedFile:
        key = secrets.token_hex(16)
        with _raise_unavailable_on_os_error("write to"):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._draft.rename(self._folder / key)
            try:
                _fsync_folder(self._folder)
            except OSError:
                _try_remove(self._folder / key)
                raise
        return ReceivedFile(key, self.size_bytes, self.sha256)


class Files:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start_upload(self, limit_bytes: int) -> Upload:
        return Upload(self.folder, limit_bytes)

    def check_space(self, needed_bytes: int) -> None:
        """Refused where a disk of the data folder would not take that much more. Nothing stays of it."""
        folders = {os.stat(folder).st_dev: folder for folder in (self.folder, self.folder.parent) if folder.is_dir()}
        for folder in folders.values():
            draft = folder / f"{_DRAFT}{secrets.token_hex(16)}"
            with _raise_unavailable_on_os_error("write to"):
                handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                try:
                    _reserve(handle, needed_bytes)
                    os.write(handle, b"x")
                    os.fsync(handle)
                finally:
                    os.close(handle)
                    _try_remove(draft)

    def open_fd(self, key: str) -> int | None:
        """A file descriptor, or None where there is no such plain file."""
        if not _KEY.match(key):
            return None
        with _raise_unavailable_on_os_error("read from"):
            try:
                handle = os.open(self.folder / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
            except OSError as error:
                if error.errno in _NOT_THERE:
                    return None
                raise
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
        return None

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """As long as somebody works with it: `is_held`, until then or until their process ends."""
        handle = self.open_fd(key)
        try:
            if handle is not None:
                with suppress(Unsupported):
                    try_lock(handle, exclusive=False)
            yield
        finally:
            if handle is not None:
                os.close(handle)

    def is_held(self, key: str) -> bool:
        """Where there are no locks: as long as it is there, for a day."""
        handle = self.open_fd(key)
        if handle is None:
            return False
        try:
            return not try_lock(handle, exclusive=True)
        except Unsupported:
            return time.time() - os.fstat(handle).st_mtime < HELD_WITHOUT_LOCKS_S
        finally:
            os.close(handle)

    def remove(self, key: str) -> None:
        if _KEY.match(key):
            _try_remove(self.folder / key)

    def keys(self) -> set[str]:
        """Every file that is whole."""
        if not self.folder.is_dir():
            return set()
        return {entry.name for entry in os.scandir(self.folder) if _KEY.match(entry.name)}

    def old_keys_removing_partial_uploads(self, older_than_s: float) -> Iterator[str]:
        """Keys of files that have lain here for that long; drafts that a crash left behind are removed."""
        if not self.folder.is_dir():
            return
        with _raise_unavailable_on_os_error("read from"):
            entries = os.scandir(self.folder)
        for entry in entries:
            if time.time() - entry.stat(follow_symlinks=False).st_mtime < older_than_s:
                continue
            if entry.name.startswith(_DRAFT):
                _try_remove(Path(entry.path))
            elif _KEY.match(entry.name):
                yield entry.name


def _reserve(handle: int, size_bytes: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size_bytes)
    else:
        os.write(handle, bytes(size_bytes))


def _try_remove(path: Path) -> None:
    """What cannot be removed now is found by the sweeper; nobody's answer depends on it."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("a file is left over: %s", error)


def _fsync_folder(folder: Path) -> None:
    """The new name is on the disk too, so that a row never points at a file that a power cut took away."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
