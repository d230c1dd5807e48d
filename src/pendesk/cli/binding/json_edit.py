"""Inserts one member into a JSON text and removes it again, without changing any other byte."""

import json
import re
from typing import Any

from pendesk.cli.binding.jsonc import Node, NotJson, find_node, parse_jsonc

EMPTY = "{}\n"
_INDENT = re.compile(r"\n([ \t]+)\S")
_COMMA = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*+|/\*.*?\*/)*+,", re.DOTALL)


class PathOccupied(ValueError):
    """There is a value of another kind where the member belongs."""


def insert_member_and_get_inserted_text(text: str, key_path: list[str], value: Any, *, strict: bool) -> tuple[str, str]:
    """The new text, and the piece that was inserted. Only the missing part of the path is created.

    The last step of the path is a member's name, or "[]" for one more item of an array.
    """
    if not text.strip("\ufeff \t\r\n"):
        piece = _serialize(_nest_under_keys(key_path, value), _IndentStyle("\n", "  "), 0) + "\n"
        return text + piece, piece
    root = parse_jsonc(text, strict=strict)
    if root.kind != "object":
        raise PathOccupied("it is not an object")
    depth, node = _find_existing_depth_and_parent(root, key_path)
    style = _IndentStyle.detect(text)
    body = _serialize(_nest_under_keys(key_path[depth + 1 :], value), style, depth + 1)
    if key_path[depth] == "[]" and node.members:
        return _append_array_item(text, node, style.newline_and_indent(depth + 1) + body)
    name = "" if key_path[depth] == "[]" else json.dumps(key_path[depth]) + (": " if style.newline else ":")
    piece = style.newline_and_indent(depth + 1) + name + body
    piece += "," if node.members else ("" if "\n" in text[node.start : node.end] else style.newline_and_indent(depth))
    at = node.start + 1
    return text[:at] + piece + text[at:], piece


def _append_array_item(text: str, array: Node, item_text: str) -> tuple[str, str]:
    """After all others: Codex records the trust in a hook under its place in the array."""
    at, piece = array.members[-1].value.end, "," + item_text
    return text[:at] + piece + text[at:], piece


def remove_member_or_array_item(text: str, key_path: list[str], item_value: Any) -> str:
    """The text without the member (or the array's item with this value), however it is formatted by now.

    Parents that it leaves empty are removed as well: nobody else has a use for them.
    """
    root = parse_jsonc(text)
    parents = [root]
    for key in key_path[:-1]:
        child = find_node(parents[-1], key)
        if child is None:
            return text
        parents.append(child)
    index = _find_member_or_array_item_index(text, parents[-1], key_path[-1], item_value)
    if index is None:
        return text
    while len(parents) > 1 and len(parents[-1].members) == 1:
        emptied = parents.pop()
        index = next(i for i, member in enumerate(parents[-1].members) if member.value == emptied)
    return _delete_member(text, parents[-1], index)


def has_member_with_value(text: str, key_path: list[str], value: Any) -> bool:
    """Whether the member exists with exactly this value."""
    try:
        root = parse_jsonc(text)
    except NotJson:
        return False
    parent = find_node(root, *key_path[:-1])
    if parent is None:
        return False
    index = _find_member_or_array_item_index(text, parent, key_path[-1], value)
    return index is not None and parse_node_value(text, parent.members[index].value) == value


def parse_node_value(text: str, node: Node) -> Any:
    """The value of a node; None if there are comments in it."""
    try:
        return json.loads(text[node.start : node.end], strict=False)
    except ValueError:
        return None


def _find_member_or_array_item_index(text: str, parent: Node, key: str, item_value: Any) -> int | None:
    for index in reversed(range(len(parent.members))):
        member = parent.members[index]
        if parse_node_value(text, member.value) == item_value if key == "[]" else member.key == key:
            return index
    return None


def _delete_member(text: str, parent: Node, index: int) -> str:
    """Delete a member, the space before it and the one comma that it needed."""
    start, end = parent.members[index].start, parent.members[index].value.end
    while text[start - 1] in " \t\r\n":
        start -= 1
    after = _COMMA.match(text, end)
    if after is not None:
        return text[:start] + text[end : after.end() - 1] + text[after.end() :]
    before = _COMMA.match(text, parent.members[index - 1].value.end) if index else None
    comma = before.end() - 1 if before else start
    return text[:comma] + text[comma + 1 : start] + text[end:]


def _find_existing_depth_and_parent(root: Node, key_path: list[str]) -> tuple[int, Node]:
    """How many steps of the path exist, and the node where the next one goes."""
    node = root
    for depth, key in enumerate(key_path):
        expected_kind = "array" if key == "[]" else "object"
        if node.kind != expected_kind:
            raise PathOccupied(f"{'.'.join(key_path[:depth])} is not an {expected_kind}")
        child = None if key == "[]" else find_node(node, key)
        if child is None:
            return depth, node
        node = child
    raise PathOccupied(f"{'.'.join(key_path)} already exists")


def _nest_under_keys(keys: list[str], value: Any) -> Any:
    for key in reversed(keys):
        value = [value] if key == "[]" else {key: value}
    return value


class _IndentStyle:
    """How the file is formatted: its line ends and its indent; a file on one line has neither."""

    def __init__(self, newline: str, indent: str) -> None:
        self.newline = newline
        self.indent = indent

    @classmethod
    def detect(cls, text: str) -> "_IndentStyle":
        if text.strip("\ufeff \t\r\n") == "{}":
            return cls("\r\n" if "\r\n" in text else "\n", "  ")
        if "\n" not in text.strip():
            return cls("", "")
        indent = _INDENT.search(text)
        return cls("\r\n" if "\r\n" in text else "\n", indent[1] if indent else "  ")

    def newline_and_indent(self, depth: int) -> str:
        return self.newline + self.indent * depth if self.newline else ""


def _serialize(value: Any, style: _IndentStyle, depth: int) -> str:
    if not style.newline:
        return json.dumps(value, separators=(",", ":"))
    lines = json.dumps(value, indent=style.indent).split("\n")
    return (style.newline + style.indent * depth).join(lines)
