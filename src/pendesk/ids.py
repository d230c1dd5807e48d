"""Identifiers: UUIDs of version 7, so that rows made together lie together in every index."""

import os
import re
import threading
import time

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_REF = re.compile(r"([A-Za-z][A-Za-z0-9]{1,9})-([1-9][0-9]{0,8})\Z")

_last = 0
_order = threading.Lock()


def new_id() -> str:
    """Later than every id this process made before, also within one millisecond and when the clock goes back.

    The twelve bits after the milliseconds count their fractions (RFC 9562, method 3), so that rows that one
    operation makes sort in the order it made them.
    """
    # By hand: uuid.uuid7 exists from Python 3.14 on, and uuid.UUID objects cost four times the text they hold.
    global _last
    with _order:
        _last = ticks = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
    random_bits = int.from_bytes(os.urandom(8)) & 0x3FFFFFFFFFFFFFFF | 0x8000000000000000
    head, tail = f"{ticks:015x}", f"{random_bits:016x}"
    return f"{head[:8]}-{head[8:12]}-7{head[12:]}-{tail[:4]}-{tail[4:]}"


def parse_id(text: str) -> str | None:
    """The canonical form of a UUID, or None where the text is none."""
    lowered = text.strip().lower()
    return lowered if _UUID.match(lowered) else None


def parse_ref_code_key_and_number(text: str) -> tuple[str, int] | None:
    """`PEN-12` -> ("PEN", 12), or None where the text is no ref code."""
    match = _REF.match(text.strip())
    return (match[1].upper(), int(match[2])) if match else None
