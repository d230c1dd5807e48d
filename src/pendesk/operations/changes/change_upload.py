"""How a change travels from a repository to the server: one gzip file, a line of JSON and then the diffs of git.

The line says what a diff does not: which commits there are and what they touch, who wrote which line, how large a
binary file is, and why some file comes without its hunks. The first diff is from base to head; the second, which may be
empty, from the head of the submission before.
"""

import gzip
import zlib
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.change import Omission
from pendesk.domain.errors import BadField, TooLarge
from pendesk.domain.limits import (
    BRANCH_CHARS,
    CHANGE_BLAME_RANGES,
    CHANGE_BYTES,
    CHANGE_COMMITS,
    CHANGE_FILES,
    CHANGE_MANIFEST_BYTES,
    LABEL_CHARS,
    PATH_CHARS,
)

_Sha = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
_Path = Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)]
_Count = Annotated[int, Meta(ge=0, le=2**53)]


class ManifestCommit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sha: _Sha
    subject: Annotated[str, Meta(max_length=LABEL_CHARS)]
    paths: Annotated[list[_Path], Meta(max_length=CHANGE_FILES)] = []


class ManifestFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Of a file about which there is more to say than its diff does. added, removed: where it has no hunks."""

    path: _Path
    omitted: Omission | None = None
    added: _Count | None = None
    removed: _Count | None = None
    old_size: _Count | None = None
    new_size: _Count | None = None
    # (first new line, how many, place of the commit in `commits`)
    blame: Annotated[list[tuple[_Count, _Count, _Count]], Meta(max_length=CHANGE_BLAME_RANGES)] = []


class ChangeManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The commits, the oldest first. change_bytes: where the first diff ends and the second begins. left_off: how many
    more files there are than a change may have.
    """

    base_sha: _Sha
    head_sha: _Sha
    change_bytes: _Count
    branch: Annotated[str, Meta(min_length=1, max_length=BRANCH_CHARS)] | None = None
    since_sha: _Sha | None = None
    commits: Annotated[list[ManifestCommit], Meta(max_length=CHANGE_COMMITS)] = []
    files: Annotated[list[ManifestFile], Meta(max_length=CHANGE_FILES)] = []
    left_off: _Count = 0


class UnpackedChange(NamedTuple):
    manifest: ChangeManifest
    change: bytes
    since: bytes


_decoder = msgspec.json.Decoder(ChangeManifest)


def pack_change(manifest: ChangeManifest, change: bytes, since: bytes = b"") -> bytes:
    return gzip.compress(msgspec.json.encode(manifest) + b"\n" + change + since, mtime=0)


def unpack_change(packed: bytes) -> UnpackedChange:
    """What is larger than a change may be is refused before it is unpacked any further."""
    head, newline, diffs = _decompress(packed, CHANGE_MANIFEST_BYTES + 2 * CHANGE_BYTES).partition(b"\n")
    if not newline or len(head) > CHANGE_MANIFEST_BYTES:
        raise _unreadable("its first line is not the JSON of a change")
    try:
        manifest = _decoder.decode(head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _unreadable(str(problem)) from None
    change, since = diffs[: manifest.change_bytes], diffs[manifest.change_bytes :]
    if len(change) < manifest.change_bytes:
        raise _unreadable("it breaks off")
    if max(len(change), len(since)) > CHANGE_BYTES:
        raise _too_large()
    return UnpackedChange(manifest, change, since)


def _decompress(packed: bytes, max_bytes: int) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        content = stream.decompress(packed, max_bytes + 1)
    except zlib.error:
        raise _unreadable("it is not a gzip file") from None
    if len(content) > max_bytes:
        raise _too_large()
    if not stream.eof or stream.unused_data:
        raise _unreadable("it breaks off, or has more behind its end")
    return content


def _unreadable(reason: str) -> BadField:
    return BadField("", f"The change cannot be read: {reason}. Send it with `pendesk change push`.")


def _too_large() -> TooLarge:
    return TooLarge(
        f"The change is larger than {CHANGE_BYTES} bytes. `pendesk change push` leaves the hunks of large files out.",
        limit=CHANGE_BYTES,
    )
