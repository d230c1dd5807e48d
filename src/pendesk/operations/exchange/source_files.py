"""Other programs' files from the disk or out of an archive: only plain files, only so many, none from elsewhere."""

import os
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.source import ImportFile
from pendesk.domain.limits import (
    FOREIGN_DIRECTORY_BYTES,
    FOREIGN_FILE_BYTES,
    FOREIGN_FILES,
    FOREIGN_FOLDER_DEPTH,
    FOREIGN_NAME_CHARS,
    FOREIGN_TOTAL_BYTES,
)

KINDS = (".md", ".json", ".yml", ".yaml")
# Programs keep their files in hidden folders; those of other tools are passed by.
FOLDERS = (".backlog", ".taskmaster")
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UPLOADED = {"backlog": "backlog", "taskmaster": "tasks.json", "plandesk": "export.json", "github": "issues.json"}


class _FileList:
    def __init__(self) -> None:
        self.files: list[ImportFile] = []
        self._total = 0

    def add_size_and_check_limits(self, name: str, size: int) -> None:
        if size > FOREIGN_FILE_BYTES:
            raise BadField(name, f"is larger than {FOREIGN_FILE_BYTES} bytes.")
        self._total += size
        if self._total > FOREIGN_TOTAL_BYTES:
            raise BadField(name, f"makes the files larger than {FOREIGN_TOTAL_BYTES} bytes together.")
        if len(self.files) == FOREIGN_FILES:
            raise BadField(name, f"is one too many: {FOREIGN_FILES} files is the limit.")


def read_import_files_from_path(path: Path) -> list[ImportFile]:
    """A folder with all that is in it, an archive, or one file."""
    if path.is_dir():
        return _read_files_from_folder(path)
    with path.open("rb") as file:
        return _read_files_from_zip(file) if zipfile.is_zipfile(file) else _read_single_file(path.name, file)


def read_uploaded_import_files(source: BinaryIO, source_program: str) -> list[ImportFile]:
    if zipfile.is_zipfile(source):
        return _read_files_from_zip(source)
    if source_program == "backlog":
        raise BadField("", "Send the folder of Backlog.md as a zip archive.")
    return _read_single_file(UPLOADED[source_program], source)


def _read_single_file(name: str, file: BinaryIO) -> list[ImportFile]:
    file.seek(0)
    content = file.read(FOREIGN_FILE_BYTES + 1)
    _FileList().add_size_and_check_limits(name, len(content))
    return [ImportFile(name, content)]


def _read_files_from_folder(root: Path) -> list[ImportFile]:
    pile = _FileList()
    for folder, subfolders, names in os.walk(root):
        depth = len(Path(folder).relative_to(root).parts)
        hidden = [name for name in subfolders if name.startswith(".") and name not in FOLDERS]
        subfolders[:] = sorted(set(subfolders) - {*hidden, "node_modules"}) if depth < FOREIGN_FOLDER_DEPTH else []
        for name in sorted(names):
            path = Path(folder, name)
            status = path.lstat()
            # What a link points to is not part of the folder.
            if name.endswith(KINDS) and stat.S_ISREG(status.st_mode):
                relative = path.relative_to(root).as_posix()
                pile.add_size_and_check_limits(relative, status.st_size)
                pile.files.append(ImportFile(relative, path.read_bytes()))
    return pile.files


def _read_files_from_zip(file: BinaryIO) -> list[ImportFile]:
    """Nothing is unpacked to the disk. The sizes that an archive tells of itself are not believed."""
    pile = _FileList()
    file.seek(0)
    try:
        source = _BoundedReader(file)
        with zipfile.ZipFile(source) as archive:
            source.max_read_bytes = FOREIGN_FILE_BYTES + 1
            for entry in archive.infolist():
                _check_archive_path_is_safe(entry.filename)
                if entry.is_dir() or not entry.filename.endswith(KINDS) or stat.S_ISLNK(entry.external_attr >> 16):
                    continue
                if entry.compress_type not in PACKED:
                    raise ValueError("it is packed in an unusual way; pack it as zip does by itself")
                with archive.open(entry) as packed:
                    content = packed.read(FOREIGN_FILE_BYTES + 1)
                pile.add_size_and_check_limits(entry.filename, len(content))
                pile.files.append(ImportFile(entry.filename, content))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise BadField("", f"The archive cannot be read: {str(error)[:100]}.") from None
    return pile.files


class _BoundedReader:
    """A file of which only so much is read at once. `ZipFile` reads the list of an archive's entries whole, however
    long it says it is, and makes half a kilobyte of every entry's 46 bytes.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.max_read_bytes = FOREIGN_DIRECTORY_BYTES
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > self.max_read_bytes:
            raise ValueError("it lists too many files")
        return self._file.read(size)

    def close(self) -> None:
        """Whoever opened the file closes it."""


def _check_archive_path_is_safe(path_in_archive: str) -> None:
    if len(path_in_archive) > FOREIGN_NAME_CHARS:
        raise BadField(path_in_archive[:100], f"has a name of more than {FOREIGN_NAME_CHARS} characters.")
    path = PurePosixPath(path_in_archive.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path_in_archive.split("/")[0]:
        raise BadField(path_in_archive[:100], "leads out of the archive; pack the folder itself.")
