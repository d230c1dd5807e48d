"""Where the values are in a JSON text, with or without comments and trailing commas.

A parser that returns values would lose what people wrote around them. This one returns positions, so that a member can
be inserted and removed without changing any other byte.
"""

import json
import re
from typing import NamedTuple

MAX_DEPTH = 100
_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class NotJson(ValueError):
    """The text cannot be parsed; the message says where."""

    def __init__(self, problem: str, text: str, at: int) -> None:
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        super().__init__(f"{problem} in line {line}, column {column}")


class Node(NamedTuple):
    kind: str  # object, array or atom
    start: int
    end: int
    members: tuple["Member", ...] = ()


class Member(NamedTuple):
    """In an array, without a key."""

    key: str
    start: int
    value: Node


def parse_jsonc(text: str, *, strict: bool = False) -> Node:
    """The root; a strict text has no comments and no trailing commas."""
    parser = _Parser(text, strict)
    parser.skip_whitespace_and_comments()
    root = parser.parse_value(0)
    parser.skip_whitespace_and_comments()
    if parser.position != len(text):
        raise parser.error("There is text after the end")
    return root


def find_node(node: Node | None, *path: str) -> Node | None:
    for key in path:
        # Of two members with one name the last counts, as in every client.
        node = next((m.value for m in reversed(node.members) if m.key == key), None) if node else None
    return node


class _Parser:
    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.position = 1 if text.startswith("\ufeff") else 0

    def error(self, problem: str) -> NotJson:
        return NotJson(problem, self.text, self.position)

    def skip_whitespace_and_comments(self) -> None:
        while True:
            self.position = _SPACE.match(self.text, self.position).end()  # type: ignore[union-attr]
            comment = _COMMENT.match(self.text, self.position)
            if comment is None:
                return
            if self.strict:
                raise self.error("A comment is not allowed")
            self.position = comment.end()

    def parse_value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error("Nested too deeply")
        opening = self.text[self.position : self.position + 1]
        if opening in ("{", "["):
            return self._parse_object_or_array(depth, opening == "{")
        match = _STRING.match(self.text, self.position) or _ATOM.match(self.text, self.position)
        if match is None:
            raise self.error("A value is missing")
        self.position = match.end()
        return Node("atom", match.start(), match.end())

    def _parse_object_or_array(self, depth: int, is_object: bool) -> Node:
        start, closing = self.position, "}" if is_object else "]"
        self.position += 1
        members: list[Member] = []
        self.skip_whitespace_and_comments()
        while not self._consume_if_next(closing):
            members.append(self._parse_member(depth, is_object))
            self.skip_whitespace_and_comments()
            if self._consume_if_next(","):
                self.skip_whitespace_and_comments()
                if self.strict and self.text[self.position : self.position + 1] == closing:
                    raise self.error("There is a trailing comma")
            elif self.text[self.position : self.position + 1] != closing:
                raise self.error("A comma or the end is missing")
        return Node("object" if is_object else "array", start, self.position, tuple(members))

    def _parse_member(self, depth: int, in_object: bool) -> Member:
        start, key = self.position, ""
        if in_object:
            match = _STRING.match(self.text, self.position)
            if match is None:
                raise self.error("A name in double quotes is missing")
            key = json.loads(match[0], strict=False)
            self.position = match.end()
            self.skip_whitespace_and_comments()
            if not self._consume_if_next(":"):
                raise self.error("A colon is missing")
            self.skip_whitespace_and_comments()
        return Member(key, start, self.parse_value(depth + 1))

    def _consume_if_next(self, character: str) -> bool:
        if self.text[self.position : self.position + 1] != character:
            return False
        self.position += 1
        return True
