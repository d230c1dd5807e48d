"""JSON as the text that a column holds."""

from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def to_json(value: Any) -> str:
    return _encode(value).decode()


def from_json(text: str) -> Any:
    return _decode(text)
