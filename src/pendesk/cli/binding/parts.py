"""The parts that `connect` puts into a repository's files: each knows how to get in and how to get out.

A part goes in as one piece of text, and the piece is kept in `.pendesk/config.json`. Taking that piece out gives back
the very bytes that were there before, whatever else was changed in the file since; only where the piece itself was
changed the part is found by its meaning.
"""

import re
from typing import Any, Literal, NamedTuple

from pendesk.cli.binding import json_edit
from pendesk.cli.binding.jsonc import NotJson, find, parse


class Part(NamedTuple):
    """`keys` for a member of a JSON file; `comment` for a block of lines between marks."""

    path: str
    keys: tuple[str, ...] = ()
    value: Any = None
    strict: bool = False
    comment: tuple[str, str] = ("", "")


class Written(NamedTuple):
    """What of a part is in the file, as the binding keeps it."""

    path: str
    kind: Literal["json", "block"]
    piece: str
    made: bool  # the file is there only because of us
    keys: tuple[str, ...] = ()
    value: Any = None
    comment: tuple[str, str] = ("", "")


class CannotWrite(ValueError):
    """The file does not take the part; says why and what to do."""


HASH = ("#", "")
HTML = ("<!--", " -->")
START = "pendesk: written by `pendesk connect`, removed by `pendesk disconnect`"
END = "pendesk: end"
OWN = "pendesk headers ||"


def put(text: str | None, part: Part) -> tuple[str, Written | None]:
    """The file with the part in it; nothing was written where it holds the same already."""
    made = text is None
    if not part.keys:
        return _put_block(text or "", part, made)
    text = json_edit.EMPTY if text is None else text
    if json_edit.holds(text, list(part.keys), part.value):
        return text, None
    try:
        text = _without_own(text, part)
        changed, piece = json_edit.insert(text, list(part.keys), part.value, strict=part.strict)
    except NotJson as error:
        raise CannotWrite(f"{part.path} is not valid JSON: {error}. Correct it there and run this again.") from None
    except json_edit.Occupied as error:
        raise CannotWrite(_occupied(part, str(error))) from None
    return changed, Written(part.path, "json", piece, made, part.keys, part.value if part.keys[-1] == "[]" else None)


def _without_own(text: str, part: Part) -> str:
    """Ours, by its helper, although no record tells so: somebody removed the record."""
    root = parse(text, strict=part.strict) if text.strip("\ufeff \t\r\n") else None
    found = find(root, *part.keys)
    if found is None or OWN not in text[found.start : found.end]:
        return text
    return json_edit.remove(text, list(part.keys), None)


def _occupied(part: Part, told: str) -> str:
    if told.endswith("already"):
        name = part.keys[-1]
        return (
            f"{part.path} has a server {name!r} that `pendesk connect` did not write. Remove it there, or choose "
            "another name with --name, and run this again."
        )
    return f"{part.path} cannot take the server: {told}. Correct it there and run this again."


def take(text: str, written: Written) -> str:
    """The file without the part; as it was before where nobody touched the part."""
    if written.piece in text:
        candidate = _without_piece(text, written)
        if written.kind == "block" or _is_sound(candidate, written):
            return candidate
    if written.kind == "block":
        return _marked(written.comment).sub("", text, count=1)
    try:
        return json_edit.remove(text, list(written.keys), written.value)
    except NotJson:
        return text  # the user is in the middle of something; doctor tells


def is_shell(text: str, kind: str) -> bool:
    """Whether nothing of anybody's is left in a file that we made."""
    left = re.sub(r"[ \t\r\n]", "", text)
    return not left or (kind == "json" and left == "{}")


def _without_piece(text: str, written: Written) -> str:
    before, after = text.split(written.piece, 1)
    # What was written below our block must not run into a last line that has no end.
    if written.kind == "block" and before and after and not before.endswith("\n"):
        before += "\n"
    return before + after


def _is_sound(text: str, written: Written) -> bool:
    if is_shell(text.lstrip("\ufeff"), "json"):
        return True
    try:
        root = parse(text)
    except NotJson:
        return False
    return written.keys[-1] == "[]" or find(root, *written.keys) is None


def _put_block(text: str, part: Part, made: bool) -> tuple[str, Written | None]:
    if START in text:  # from a connecting of which no record is left
        text = _marked(part.comment).sub("", text, count=1)
    newline = "\r\n" if "\r\n" in text else "\n"
    opening, closing = part.comment
    lines = [f"{opening} {START}{closing}", *part.value.split("\n"), f"{opening} {END}{closing}"]
    gap = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    piece = gap + newline.join(lines) + newline
    return text + piece, Written(part.path, "block", piece, made, comment=part.comment)


def _marked(comment: tuple[str, str]) -> re.Pattern[str]:
    opening, closing = (re.escape(mark) for mark in comment)
    start, end = re.escape(START), re.escape(END)
    return re.compile(rf"(?:\r?\n)?{opening} {start}{closing}.*?{opening} {end}{closing}(?:\r?\n)?", re.DOTALL)
