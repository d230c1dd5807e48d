"""Putting one member into a JSON text and taking it out again, with every other byte left as it was."""

import json
import re
from typing import Any

from pendesk.cli.binding.jsonc import Node, NotJson, find, parse

EMPTY = "{}\n"
_INDENT = re.compile(r"\n([ \t]+)\S")
_COMMA = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*+|/\*.*?\*/)*+,", re.DOTALL)


class Occupied(ValueError):
    """Something of another kind stands where the member belongs."""


def insert(text: str, path: list[str], value: Any, *, strict: bool) -> tuple[str, str]:
    """The new text, and the one piece that was put in. Of the path only the missing part is made.

    The last step of the path is a member's name, or "[]" for one more item of an array.
    """
    if not text.strip("\ufeff \t\r\n"):
        piece = _written(_nested(path, value), _Style("\n", "  "), 0) + "\n"
        return text + piece, piece
    root = parse(text, strict=strict)
    if root.kind != "object":
        raise Occupied("it holds no object")
    depth, place = _deepest(root, path)
    style = _Style.of(text)
    body = _written(_nested(path[depth + 1 :], value), style, depth + 1)
    name = "" if path[depth] == "[]" else json.dumps(path[depth]) + (": " if style.newline else ":")
    piece = style.line(depth + 1) + name + body
    piece += "," if place.members else ("" if "\n" in text[place.start : place.end] else style.line(depth))
    at = place.start + 1
    return text[:at] + piece + text[at:], piece


def remove(text: str, path: list[str], value: Any) -> str:
    """Without the member (or the array's item that has this value), however it is written by now.

    Holders that it leaves empty go with it: whoever edited the file since would wonder what they are for.
    """
    root = parse(text)
    holders = [root]
    for key in path[:-1]:
        found = find(holders[-1], key)
        if found is None:
            return text
        holders.append(found)
    index = _index(text, holders[-1], path[-1], value)
    if index is None:
        return text
    while len(holders) > 1 and len(holders[-1].members) == 1:
        emptied = holders.pop()
        index = next(i for i, member in enumerate(holders[-1].members) if member.value == emptied)
    return _cut(text, holders[-1], index)


def holds(text: str, path: list[str], value: Any) -> bool:
    """Whether the member is there with this very value."""
    try:
        root = parse(text)
    except NotJson:
        return False
    holder = find(root, *path[:-1])
    if holder is None:
        return False
    index = _index(text, holder, path[-1], value)
    return index is not None and read(text, holder.members[index].value) == value


def read(text: str, node: Node) -> Any:
    """The value at a place; None where comments stand in it."""
    try:
        return json.loads(text[node.start : node.end], strict=False)
    except ValueError:
        return None


def _index(text: str, holder: Node, key: str, value: Any) -> int | None:
    for index in reversed(range(len(holder.members))):
        member = holder.members[index]
        if read(text, member.value) == value if key == "[]" else member.key == key:
            return index
    return None


def _cut(text: str, holder: Node, index: int) -> str:
    """A member with the space before it and the one comma that it needed."""
    start, end = holder.members[index].start, holder.members[index].value.end
    while text[start - 1] in " \t\r\n":
        start -= 1
    after = _COMMA.match(text, end)
    if after is not None:
        return text[:start] + text[end : after.end() - 1] + text[after.end() :]
    before = _COMMA.match(text, holder.members[index - 1].value.end) if index else None
    comma = before.end() - 1 if before else start
    return text[:comma] + text[comma + 1 : start] + text[end:]


def _deepest(root: Node, path: list[str]) -> tuple[int, Node]:
    """How many steps of the path exist, and the place where the next one goes."""
    place = root
    for depth, key in enumerate(path):
        wanted = "array" if key == "[]" else "object"
        if place.kind != wanted:
            raise Occupied(f"{'.'.join(path[:depth])} is no {wanted}")
        below = None if key == "[]" else find(place, key)
        if below is None:
            return depth, place
        place = below
    raise Occupied(f"{'.'.join(path)} is there already")


def _nested(path: list[str], value: Any) -> Any:
    for key in reversed(path):
        value = [value] if key == "[]" else {key: value}
    return value


class _Style:
    """How the file is written: its line ends and its indent; a file on one line has neither."""

    def __init__(self, newline: str, indent: str) -> None:
        self.newline = newline
        self.indent = indent

    @classmethod
    def of(cls, text: str) -> "_Style":
        if text.strip("\ufeff \t\r\n") == "{}":
            return cls("\r\n" if "\r\n" in text else "\n", "  ")
        if "\n" not in text.strip():
            return cls("", "")
        indent = _INDENT.search(text)
        return cls("\r\n" if "\r\n" in text else "\n", indent[1] if indent else "  ")

    def line(self, depth: int) -> str:
        return self.newline + self.indent * depth if self.newline else ""


def _written(value: Any, style: _Style, depth: int) -> str:
    if not style.newline:
        return json.dumps(value, separators=(",", ":"))
    lines = json.dumps(value, indent=style.indent).split("\n")
    return (style.newline + style.indent * depth).join(lines)
