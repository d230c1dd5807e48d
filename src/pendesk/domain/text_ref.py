"""Refs of specs, documents and notes: the project's key, a letter for the kind and a number, such as HRB-S3."""

import re
from enum import StrEnum
from typing import NamedTuple


class TextKind(StrEnum):
    SPEC = "spec"
    DOCUMENT = "document"
    NOTE = "note"


_KIND_BY_LETTER = {kind[0].upper(): kind for kind in TextKind}
_REF = re.compile(rf"([A-Za-z][A-Za-z0-9]{{1,9}})-([{''.join(_KIND_BY_LETTER)}])([1-9][0-9]{{0,8}})\Z", re.IGNORECASE)


class TextRef(NamedTuple):
    key: str
    kind: TextKind
    number: int


def text_ref_code(project_key: str, kind: TextKind, number: int | None) -> str | None:
    return f"{project_key}-{kind[0].upper()}{number}" if number else None


def parse_text_ref(text: str) -> TextRef | None:
    """`HRB-S3`, or None where the text is no such ref."""
    match = _REF.match(text.strip())
    return TextRef(match[1].upper(), _KIND_BY_LETTER[match[2].upper()], int(match[3])) if match else None
