"""A repository's files as they shall be: read through, changed in memory, then written all together."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pendesk.cli.binding.parts import CannotWrite


class Change(NamedTuple):
    path: str
    before: str | None
    after: str | None


class Tree:
    def __init__(self, root: Path, umask: int) -> None:
        self.root = root.resolve()
        self.umask = umask
        self._texts: dict[str, str | None] = {}
        self._before: dict[str, str | None] = {}

    def place(self, path: str) -> Path:
        """Where a path of ours really is: a link inside the repository is followed, one that leads out is refused."""
        real = (self.root / path).resolve()
        if not real.is_relative_to(self.root):
            raise CannotWrite(f"{path} leads out of the repository, to {real}. Replace the link and run this again.")
        return real

    def name(self, path: str) -> str:
        """One name for one file: CLAUDE.md may be a link to AGENTS.md."""
        return self.place(path).relative_to(self.root).as_posix()

    def read(self, path: str) -> str | None:
        if path not in self._texts:
            place = self.place(path)
            if place.is_dir():
                raise CannotWrite(f"{path} is a folder. Move it away and run this again.")
            content = place.read_bytes() if place.exists() else None
            # Bytes that are no UTF-8 come back as they were.
            text = None if content is None else content.decode("utf-8", "surrogateescape")
            self._texts[path] = self._before[path] = text
        return self._texts[path]

    def write(self, path: str, text: str | None) -> None:
        self.read(path)
        self._texts[path] = text

    def changes(self) -> Iterator[Change]:
        for path, after in self._texts.items():
            if after != self._before[path]:
                yield Change(path, self._before[path], after)

    def missing_folders(self) -> list[str]:
        """Folders that will have to be made, the outermost first."""
        wanted = {
            folder.as_posix()
            for change in self.changes()
            if change.after is not None
            for folder in PurePosixPath(change.path).parents
            if folder.name and not (self.root / folder).exists()
        }
        return sorted(wanted)

    def commit(self, record: str) -> None:
        """The record is written first and removed last: what breaks off half-way can be undone or done again."""
        ordered = sorted(self.changes(), key=lambda change: (change.path == record) == (change.after is None))
        for path, _before, after in ordered:
            place = self.place(path)
            if after is None:
                place.unlink(missing_ok=True)
            else:
                self.make_folder(place.parent)
                self._replace(place, after.encode("utf-8", "surrogateescape"))
            self._before[path] = after

    def make_folder(self, folder: Path) -> None:
        """With the rights that the user's own commands give, not with the narrow ones of the data folder."""
        if not folder.exists():
            self.make_folder(folder.parent)
            folder.mkdir()
            folder.chmod(0o777 & ~self.umask)

    def _replace(self, place: Path, content: bytes) -> None:
        draft = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            draft.write_bytes(content)
            if place.exists():
                shutil.copymode(place, draft)
            else:
                draft.chmod(0o666 & ~self.umask)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)


def remove_empty(root: Path, folders: list[str]) -> None:
    """Folders that we made, the innermost first, as long as nothing else is in them."""
    for folder in sorted(folders, reverse=True):
        place = root / folder
        inside = place.resolve().is_relative_to(root.resolve()) and place.resolve() != root.resolve()
        if inside and place.is_dir() and not place.is_symlink() and not any(place.iterdir()):
            place.rmdir()
