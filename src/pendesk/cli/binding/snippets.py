"""The snippets that `connect` inserts into a repository's files, and how to remove them.

A snippet is inserted as one piece of text, and the piece is recorded in `.pendesk/config.json`. Removing that piece
restores the exact bytes from before, whatever else was changed in the file since. Only if the piece itself was changed,
the snippet is located by its meaning.
"""

import re
from typing import Any, Literal, NamedTuple

from pendesk.cli.binding import json_edit
from pendesk.cli.binding.jsonc import NotJson, find_node, parse_jsonc


class Snippet(NamedTuple):
    """`keys` for a member of a JSON file; `comment` for a block of lines between markers."""

    path: str
    keys: tuple[str, ...] = ()
    value: Any = None
    strict: bool = False
    comment: tuple[str, str] = ("", "")


class InsertedSnippet(NamedTuple):
    """A snippet as it was inserted, as `.pendesk/config.json` records it; its fields are JSON fields."""

    path: str
    kind: Literal["json", "block"]
    piece: str
    made: bool  # `connect` created the file
    keys: tuple[str, ...] = ()
    value: Any = None
    comment: tuple[str, str] = ("", "")


class CannotWrite(ValueError):
    """The file cannot be changed; the message says why and what to do."""


HASH = ("#", "")
HTML = ("<!--", " -->")
START = "pendesk: written by `pendesk connect`, removed by `pendesk disconnect`"
END = "pendesk: end"
OWN_HELPER = "pendesk headers ||"


def insert_snippet(text: str | None, snippet: Snippet) -> tuple[str, InsertedSnippet | None]:
    """The text with the snippet; None as the record if the text had it already."""
    is_new_file = text is None
    if not snippet.keys:
        return _insert_marked_block(text or "", snippet, is_new_file)
    text = json_edit.EMPTY if text is None else text
    if json_edit.has_member_with_value(text, list(snippet.keys), snippet.value):
        return text, None
    try:
        text = _remove_leftover_json_member(text, snippet)
        changed, piece = json_edit.insert_member_and_get_inserted_text(
            text, list(snippet.keys), snippet.value, strict=snippet.strict
        )
    except NotJson as error:
        raise CannotWrite(f"{snippet.path} is not valid JSON: {error}. Correct it there and run this again.") from None
    except json_edit.PathOccupied as error:
        raise CannotWrite(_conflict_message(snippet, str(error))) from None
    item = snippet.value if snippet.keys[-1] == "[]" else None
    return changed, InsertedSnippet(snippet.path, "json", piece, is_new_file, snippet.keys, item)


def _remove_leftover_json_member(text: str, snippet: Snippet) -> str:
    """Without a member of ours, recognized by its helper, that is not in the record: somebody removed the record."""
    root = parse_jsonc(text, strict=snippet.strict) if text.strip("\ufeff \t\r\n") else None
    node = find_node(root, *snippet.keys)
    if node is None or OWN_HELPER not in text[node.start : node.end]:
        return text
    return json_edit.remove_member_or_array_item(text, list(snippet.keys), None)


def _conflict_message(snippet: Snippet, problem: str) -> str:
    if problem.endswith("already exists"):
        name = snippet.keys[-1]
        return (
            f"{snippet.path} has a server {name!r} that `pendesk connect` did not write. Remove it there, or choose "
            "another name with --name, and run this again."
        )
    return f"{snippet.path} cannot hold the server: {problem}. Correct it there and run this again."


def remove_snippet(text: str, inserted: InsertedSnippet) -> str:
    """The text without the snippet; the bytes from before if nobody changed the snippet."""
    if inserted.piece in text:
        candidate = _remove_inserted_text(text, inserted)
        if inserted.kind == "block" or _is_snippet_absent(candidate, inserted):
            return candidate
    if inserted.kind == "block":
        return _marked_block_pattern(inserted.comment).sub("", text, count=1)
    try:
        return json_edit.remove_member_or_array_item(text, list(inserted.keys), inserted.value)
    except NotJson:
        return text  # the user is in the middle of an edit; doctor reports it


def is_blank_or_empty_json_object(text: str, snippet_kind: str) -> bool:
    """Whether a file that `connect` created has no content of others."""
    content = re.sub(r"[ \t\r\n]", "", text)
    return not content or (snippet_kind == "json" and content == "{}")


def _remove_inserted_text(text: str, inserted: InsertedSnippet) -> str:
    before, after = text.split(inserted.piece, 1)
    # What follows our block must not be joined to a last line without a newline.
    if inserted.kind == "block" and before and after and not before.endswith("\n"):
        before += "\n"
    return before + after


def _is_snippet_absent(text: str, inserted: InsertedSnippet) -> bool:
    if is_blank_or_empty_json_object(text.lstrip("\ufeff"), "json"):
        return True
    try:
        root = parse_jsonc(text)
    except NotJson:
        return False
    return inserted.keys[-1] == "[]" or find_node(root, *inserted.keys) is None


def _insert_marked_block(text: str, snippet: Snippet, is_new_file: bool) -> tuple[str, InsertedSnippet | None]:
    if START in text:  # from an earlier connect without a record
        text = _marked_block_pattern(snippet.comment).sub("", text, count=1)
    newline = "\r\n" if "\r\n" in text else "\n"
    opening, closing = snippet.comment
    lines = [f"{opening} {START}{closing}", *snippet.value.split("\n"), f"{opening} {END}{closing}"]
    gap = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    piece = gap + newline.join(lines) + newline
    return text + piece, InsertedSnippet(snippet.path, "block", piece, is_new_file, comment=snippet.comment)


def _marked_block_pattern(comment_delimiters: tuple[str, str]) -> re.Pattern[str]:
    opening, closing = (re.escape(marker) for marker in comment_delimiters)
    start, end = re.escape(START), re.escape(END)
    return re.compile(rf"(?:\r?\n)?{opening} {start}{closing}.*?{opening} {end}{closing}(?:\r?\n)?", re.DOTALL)
