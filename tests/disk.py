"""A disk under SQLite that fails when told to, and that remembers enough to show any power cut.

Every write goes to the real file and into `log`. A power cut at place n of the log keeps what was synced by then;
of the rest, each sector of each write may have arrived, or not, or as rubbish, in any order.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import apsw

SECTOR_BYTES = 512


class Write(NamedTuple):
    name: str
    offset: int
    data: bytes


class Truncate(NamedTuple):
    name: str
    size: int


class Sync(NamedTuple):
    name: str


class Create(NamedTuple):
    name: str


class Delete(NamedTuple):
    name: str
    synced: bool


class Fault(NamedTuple):
    """The `nth` operation of a kind fails, and with `lasting` all that follow it until `heal`."""

    kind: str
    nth: int
    error: Callable[[], Exception]
    lasting: bool = False


def full() -> Exception:
    return apsw.FullError("disk full (injected)")


def io_error(extended: int) -> Callable[[], Exception]:
    def make() -> Exception:
        error = apsw.IOError("disk I/O error (injected)")
        error.extendedresult = extended  # type: ignore[attr-defined]
        return error

    return make


class Disk:
    """Use its `name` as the VFS of a connection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.log: list[Any] = []
        self.counts: dict[str, int] = {}
        self.hit = 0
        self.recording = False
        self.before: Callable[[str], None] = lambda kind: None  # may wait, so that a test can hold the disk
        self._fault: Fault | None = None
        self._vfs = _Vfs(self)

    def close(self) -> None:
        self._vfs.unregister()

    @contextmanager
    def broken(self, fault: Fault) -> Iterator[None]:
        self.counts, self.hit, self._fault = {}, 0, fault
        try:
            yield
        finally:
            self._fault = None

    def did(self, kind: str, entry: Any = None) -> None:
        """Called before anything is done to a file: refuses it, or notes it."""
        self.before(kind)
        count = self.counts[kind] = self.counts.get(kind, 0) + 1
        fault = self._fault
        if fault is not None and fault.kind == kind and (count >= fault.nth if fault.lasting else count == fault.nth):
            self.hit += 1
            raise fault.error()
        if entry is not None and self.recording:
            self.log.append(entry)


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> "_File":
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        created = bool(path) and not Path(path).exists()
        file = _File(self._disk, name, flags, path)
        if created and file.kept:
            self._disk.did("create", Create(Path(path).name))
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._disk.did("delete", Delete(Path(filename).name, syncdir))
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int], path: str | None) -> None:
        self._disk = disk
        self._name = Path(path).name if path else ""
        self.kept = bool(path) and not flags[0] & apsw.SQLITE_OPEN_DELETEONCLOSE
        super().__init__("", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        self._disk.did("write", Write(self._name, offset, bytes(data)) if self.kept else None)
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._disk.did("truncate", Truncate(self._name, newsize) if self.kept else None)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        # Noted only; no real disk has to wait.
        self._disk.did("sync", Sync(self._name) if self.kept else None)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.did("read")
        return super().xRead(amount, offset)


@dataclass
class _Platter:
    """One file: what is certain, and what was written since the last sync."""

    certain: bytearray = field(default_factory=bytearray)
    waiting: list[Write | Truncate] = field(default_factory=list)
    named: bool = True  # the folder's entry is on the disk
    gone: bool = False  # deleted; certain only if `named` is False as well

    def sync(self) -> None:
        for change in self.waiting:
            _apply(self.certain, change)
        self.waiting.clear()


class Platters:
    """The disk as it would be found after a power cut. Feed it a log, in order; cut where you like."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.name: _Platter(bytearray(path.read_bytes())) for path in folder.iterdir()}

    def feed(self, entry: Any) -> None:
        match entry:
            case Create(name):
                self._files[name] = _Platter(named=False)
            case Delete(name, synced):
                if synced:
                    self._files.pop(name, None)
                elif name in self._files:
                    self._files[name].gone = True
            case Write(name) | Truncate(name):
                self._files[name].waiting.append(entry)
            case Sync(name):
                self._files[name].sync()
                # A new log is synced together with the folder that names it.
                if name.endswith(("-wal", "-journal")):
                    for file in self._files.values():
                        file.named = True

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Write down one of the states in which the disk may be found."""
        luck = chance.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        for name, file in self._files.items():
            if name.endswith("-shm") or (file.gone and chance.random() < 0.5):
                continue
            if not file.named and chance.random() < 0.5:
                continue
            content = bytearray(file.certain)
            for change in file.waiting:
                for piece in _pieces(change):
                    if chance.random() < luck:
                        _apply(content, piece)
                    elif isinstance(piece, Write) and chance.random() < 0.02:
                        _apply(content, piece._replace(data=chance.randbytes(len(piece.data))))
            (folder / name).write_bytes(content)


def _pieces(change: Write | Truncate) -> Iterator[Write | Truncate]:
    """A write as the sectors it touches: each arrives or not, by itself."""
    if isinstance(change, Truncate):
        yield change
        return
    start, end = change.offset, change.offset + len(change.data)
    while start < end:
        stop = min(end, (start // SECTOR_BYTES + 1) * SECTOR_BYTES)
        yield Write(change.name, start, change.data[start - change.offset : stop - change.offset])
        start = stop


def _apply(content: bytearray, change: Write | Truncate) -> None:
    if isinstance(change, Truncate):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
        return
    end = change.offset + len(change.data)
    content.extend(bytes(max(0, end - len(content))))
    content[change.offset : end] = change.data
