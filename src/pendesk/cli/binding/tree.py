"""A repository's files: read on demand, changed in memory, then written together."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pendesk.cli.binding.snippets import CannotWrite


class Change(NamedTuple):
    path: str
    before: str | None
    after: str | None


class FileTransaction:
    def __init__(self, root: Path, umask: int) -> None:
        self.root = root.resolve()
        self.umask = umask
        self._texts: dict[str, str | None] = {}
        self._original_texts: dict[str, str | None] = {}

    def resolve_inside_repository(self, path: str) -> Path:
        """Follow links inside the repository; refuse one that leads out of it."""
        real = (self.root / path).resolve()
        if not real.is_relative_to(self.root):
            raise CannotWrite(f"{path} leads out of the repository, to {real}. Replace the link and run this again.")
        return real

    def canonical_path(self, path: str) -> str:
        """One name for one file: CLAUDE.md may be a link to AGENTS.md."""
        return self.resolve_inside_repository(path).relative_to(self.root).as_posix()

    def read(self, path: str) -> str | None:
        if path not in self._texts:
            location = self.resolve_inside_repository(path)
            if location.is_dir():
                raise CannotWrite(f"{path} is a folder. Move it away and run this again.")
            content = location.read_bytes() if location.exists() else None
            # Bytes that are not UTF-8 stay as they are.
            text = None if content is None else content.decode("utf-8", "surrogateescape")
            self._texts[path] = self._original_texts[path] = text
        return self._texts[path]

    def stage_write_or_delete(self, path: str, text: str | None) -> None:
        self.read(path)
        self._texts[path] = text

    def pending_changes(self) -> Iterator[Change]:
        for path, after in self._texts.items():
            if after != self._original_texts[path]:
                yield Change(path, self._original_texts[path], after)

    def folders_to_create(self) -> list[str]:
        """Folders that have to be created, the outermost first."""
        missing = {
            folder.as_posix()
            for change in self.pending_changes()
            if change.after is not None
            for folder in PurePosixPath(change.path).parents
            if folder.name and not (self.root / folder).exists()
        }
        return sorted(missing)

    def commit(self, path_written_first: str) -> None:
        """Write the record first and remove it last: what is interrupted can be undone or repeated."""
        ordered = sorted(
            self.pending_changes(), key=lambda change: (change.path == path_written_first) == (change.after is None)
        )
        for path, _original_texts, after in ordered:
            location = self.resolve_inside_repository(path)
            if after is None:
                location.unlink(missing_ok=True)
            else:
                self.create_folder_on_disk(location.parent)
                self._replace_file(location, after.encode("utf-8", "surrogateescape"))
            self._original_texts[path] = after

    def create_folder_on_disk(self, folder: Path) -> None:
        """With the permissions of the user's own umask, not the narrow ones of the data folder."""
        if not folder.exists():
            self.create_folder_on_disk(folder.parent)
            folder.mkdir()
            folder.chmod(0o777 & ~self.umask)

    def _replace_file(self, location: Path, content: bytes) -> None:
        draft = location.with_name(f".{location.name}.{os.getpid()}")
        try:
            draft.write_bytes(content)
            if location.exists():
                shutil.copymode(location, draft)
            else:
                draft.chmod(0o666 & ~self.umask)
            draft.replace(location)
        finally:
            draft.unlink(missing_ok=True)


def remove_empty_folders(root: Path, folders: list[str]) -> None:
    """Remove folders that we created, the innermost first, if nothing else is in them."""
    for folder in sorted(folders, reverse=True):
        location = root / folder
        inside = location.resolve().is_relative_to(root.resolve()) and location.resolve() != root.resolve()
        if inside and location.is_dir() and not location.is_symlink() and not any(location.iterdir()):
            location.rmdir()
