"""A name that is given twice in one JSON object. One reader keeps the last, another the first: neither is believed."""

import json
import re
from typing import Any

import msgspec

_NAME = re.compile(rb'"\s*:')  # the end of a field's name, and perhaps of a quotation in a text


class _DuplicateKey(Exception):
    pass


def find_duplicate_key(raw: bytes) -> str | None:
    """The first name that an object of this JSON text has twice, at any depth. msgspec's errors are raised as they are.

    Decoding keeps one of each name, so where as many are left as stand in the text, there is nothing to look for.
    """
    if len(_NAME.findall(raw)) <= _count_keys_at_all_depths(msgspec.json.decode(raw)):
        return None
    try:
        # Numbers are of no interest, and some are too long to be read.
        json.loads(raw, object_pairs_hook=_check_pairs, parse_int=str, parse_float=str, parse_constant=str)
    except _DuplicateKey as duplicate:
        return str(duplicate)
    return None


def _count_keys_at_all_depths(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_keys_at_all_depths, value.values()))
    return sum(map(_count_keys_at_all_depths, value)) if isinstance(value, list) else 0


def _check_pairs(pairs: list[tuple[str, Any]]) -> None:
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise _DuplicateKey(name)
        names.add(name)
