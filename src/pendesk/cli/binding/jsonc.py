"""Where things stand in a JSON text, with or without comments and trailing commas.

A parser that gives values would lose what people wrote around them. This one gives places, so that a member can be put
in and taken out while every other byte stays.
"""

import json
import re
from typing import NamedTuple

MOST_DEPTH = 100
_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class NotJson(ValueError):
    """The text cannot be read; says where."""

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


def parse(text: str, *, strict: bool = False) -> Node:
    """The root; a strict text has no comments and no trailing commas."""
    reader = _Reader(text, strict)
    reader.skip()
    root = reader.value(0)
    reader.skip()
    if reader.at != len(text):
        raise reader.fault("Something stands after the end")
    return root


def find(node: Node | None, *path: str) -> Node | None:
    for key in path:
        # Of two members with one name the last counts, as in every client.
        node = next((m.value for m in reversed(node.members) if m.key == key), None) if node else None
    return node


class _Reader:
    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.at = 1 if text.startswith("\ufeff") else 0

    def fault(self, problem: str) -> NotJson:
        return NotJson(problem, self.text, self.at)

    def skip(self) -> None:
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                return
            if self.strict:
                raise self.fault("A comment")
            self.at = comment.end()

    def value(self, depth: int) -> Node:
        if depth > MOST_DEPTH:
            raise self.fault("Too deep a nesting")
        opening = self.text[self.at : self.at + 1]
        if opening in ("{", "["):
            return self._members(depth, opening == "{")
        match = _STRING.match(self.text, self.at) or _ATOM.match(self.text, self.at)
        if match is None:
            raise self.fault("A value is missing")
        self.at = match.end()
        return Node("atom", match.start(), match.end())

    def _members(self, depth: int, keyed: bool) -> Node:
        start, closing = self.at, "}" if keyed else "]"
        self.at += 1
        members: list[Member] = []
        self.skip()
        while not self._take(closing):
            members.append(self._member(depth, keyed))
            self.skip()
            if self._take(","):
                self.skip()
                if self.strict and self.text[self.at : self.at + 1] == closing:
                    raise self.fault("A comma too many")
            elif self.text[self.at : self.at + 1] != closing:
                raise self.fault("A comma or the end is missing")
        return Node("object" if keyed else "array", start, self.at, tuple(members))

    def _member(self, depth: int, keyed: bool) -> Member:
        start, key = self.at, ""
        if keyed:
            match = _STRING.match(self.text, self.at)
            if match is None:
                raise self.fault("A name in double quotes is missing")
            key = json.loads(match[0], strict=False)
            self.at = match.end()
            self.skip()
            if not self._take(":"):
                raise self.fault("A colon is missing")
            self.skip()
        return Member(key, start, self.value(depth + 1))

    def _take(self, mark: str) -> bool:
        if self.text[self.at : self.at + 1] != mark:
            return False
        self.at += 1
        return True
