"""Identifiers: UUIDs of version 7, so that rows made together lie together in every index."""

import os
import re
import time

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_REF = re.compile(r"([A-Za-z][A-Za-z0-9]{1,9})-([1-9][0-9]{0,8})\Z")


def new_id() -> str:
    # By hand: uuid.uuid7 exists from Python 3.14 on, and uuid.UUID objects cost four times the text they hold.
    millis = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10))
    text = f"{millis:012x}7{tail >> 68:03x}{(tail >> 66 & 3) | 8:x}{tail & 0xFFF:03x}{tail >> 12 & 0xFFFFFFFFFFFF:012x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def parse_id(text: str) -> str | None:
    """The canonical form of a UUID, or None where the text is none."""
    lowered = text.strip().lower()
    return lowered if _UUID.match(lowered) else None


def parse_ref(text: str) -> tuple[str, int] | None:
    """`PEN-12` -> ("PEN", 12), or None where the text is no ref code."""
    match = _REF.match(text.strip())
    return (match[1].upper(), int(match[2])) if match else None
