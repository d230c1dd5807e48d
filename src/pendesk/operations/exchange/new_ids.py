"""New ids for a copy: every id that the file gives to a row is replaced, wherever it stands, also within texts."""

import hashlib
import re
import secrets
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from pendesk.operations.exchange import jsonl
from pendesk.store.portable.tables import BY_WORD

_UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class _Named(msgspec.Struct):
    id: str = ""


_line = msgspec.json.Decoder(dict[str, _Named])


def leave_ids_unchanged(raw: bytes) -> bytes:
    return raw


def create_id_replacer(export_file: BinaryIO) -> Callable[[bytes], bytes]:
    """Reads the file once for its ids, and leaves it at its beginning."""
    row_ids = _collect_row_ids(export_file)
    export_file.seek(0)
    salt = secrets.token_bytes(16)

    def renamed(match: re.Match[bytes]) -> bytes:
        return derive_new_id(match[0], salt) if match[0] in row_ids else match[0]

    return lambda raw: _UUID.sub(renamed, raw)


def derive_new_id(old_id: bytes, salt: bytes) -> bytes:
    """The time in it stays, so that the copies sort as the originals do; what is random in it is new."""
    tail = int.from_bytes(hashlib.blake2b(old_id, key=salt, digest_size=8).digest())
    tail_hex = f"{tail & 0x3FFFFFFFFFFFFFFF | 0x8000000000000000:016x}".encode()
    return old_id[:19] + tail_hex[:4] + b"-" + tail_hex[4:]


def _collect_row_ids(source: BinaryIO) -> set[bytes]:
    row_ids = set()
    for _, raw in jsonl.read_numbered_lines(source):
        try:
            line = _line.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # bytes, the header, or a line that will be refused when it is read
        row_ids |= {row.id.encode() for word, row in line.items() if word in BY_WORD and row.id}
    return row_ids
