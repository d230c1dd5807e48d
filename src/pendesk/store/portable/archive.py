"""One file that holds everything of an installation: a compressed tar whose last member lists and checks the others.

Reading trusts nothing: names have one strict form, links and folders are refused, and nothing counts until every
checksum of the manifest is met.
"""

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

FORMAT = 1
MANIFEST = "manifest.json"
DATABASES = {"sqlite": "pendesk.sqlite3", "postgres": "pendesk.pgdump"}
MOST_MANIFEST_BYTES = 100_000_000
_NAME = re.compile(r"pendesk\.sqlite3|pendesk\.pgdump|secret\.key|pendesk\.toml|attachments/[0-9a-f]{32}")


class BadArchive(Exception):
    """The file is no backup, or not the whole of one."""


class _HashingReader(io.RawIOBase):
    """Passes bytes on and remembers what they were."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.sha256 = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._source.read(size)
        self.sha256.update(chunk)
        return chunk


class ArchiveWriter:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self._files: dict[str, dict[str, Any]] = {}

    def add_file(self, member_name: str, path: Path) -> None:
        with path.open("rb") as file:
            passing = _HashingReader(file)
            member = tarfile.TarInfo(member_name)
            member.size, member.mode = os.fstat(file.fileno()).st_size, 0o600
            self._tar.addfile(member, passing)
        self._files[member_name] = {"bytes": member.size, "sha256": passing.sha256.hexdigest()}

    def write_manifest(self, metadata: dict[str, Any]) -> dict[str, Any]:
        manifest = {"format": FORMAT, **metadata, "files": self._files}
        content = json.dumps(manifest, indent=2).encode()
        member = tarfile.TarInfo(MANIFEST)
        member.size, member.mode = len(content), 0o600
        self._tar.addfile(member, io.BytesIO(content))
        return manifest


@contextmanager
def open_writer(path: Path, working_folder: Path) -> Iterator[ArchiveWriter]:
    """The archive appears under its name only when it is whole and on the disk; nobody else can read it.

    `working_folder` is on the same disk; a draft that is left in it is cleared away with it.
    """
    draft = working_folder / "archive"
    try:
        with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=3) as tar:
                yield ArchiveWriter(tar)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def unpack_and_verify_manifest(
    archive_path: Path, target_folder: Path, on_total_bytes_read: Callable[[int], None]
) -> dict[str, Any]:
    """Everything into a folder of its own, checked; returns the manifest.

    `on_total_bytes_read` gets the bytes that were read.
    """
    unpacked: dict[str, dict[str, Any]] = {}
    manifest: dict[str, Any] | None = None
    try:
        with archive_path.open("rb") as source, tarfile.open(fileobj=source, mode="r:gz") as tar:
            for member in tar:
                on_total_bytes_read(source.tell())
                if manifest is not None or not member.isreg():
                    raise BadArchive(f"{archive_path} holds something that no backup has: {member.name!r}.")
                if member.name == MANIFEST:
                    manifest = _read_manifest(tar, member)
                else:
                    unpacked[member.name] = _unpack_and_build_manifest_entry(tar, member, target_folder)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BadArchive(f"{archive_path} is no backup, or not the whole of one: {error}.") from None
    if manifest is None or manifest.get("files") != unpacked:
        raise BadArchive(f"{archive_path} is damaged: its content is not what its list says. Take another backup.")
    return manifest


def _read_manifest(tar: tarfile.TarFile, member: tarfile.TarInfo) -> dict[str, Any]:
    source = tar.extractfile(member)
    assert source is not None
    manifest = json.loads(source.read(MOST_MANIFEST_BYTES))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ValueError("it was made by another version")
    return manifest


def _unpack_and_build_manifest_entry(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> dict[str, Any]:
    if not _NAME.fullmatch(member.name):
        raise ValueError(f"{member.name!r} does not belong into a backup")
    source = tar.extractfile(member)
    assert source is not None
    place = folder / member.name
    place.parent.mkdir(mode=0o700, exist_ok=True)
    digest = hashlib.sha256()
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
        while chunk := source.read(1 << 20):
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    return {"bytes": member.size, "sha256": digest.hexdigest()}
