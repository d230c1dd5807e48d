"""The head of a Markdown file between two lines of `---`: the small part of YAML that task files use.

Texts, plain or in quotes; lists, in brackets or one a line; block texts (`|`, `>`). Anchors, tags and nested objects
are refused by line: nothing in a task file needs them, and they are what makes YAML dangerous to read.
"""

import re
from typing import NamedTuple

from pendesk.domain.errors import BadField
from pendesk.domain.limits import TEXT_CHARS

_KEY = re.compile(r"[A-Za-z_][\w -]*\Z")
_ESCAPE = re.compile(r'\\(["\\/nrt]|u[0-9a-fA-F]{4})')
_ESCAPED = {"n": "\n", "r": "\n", "t": "\t"}


class FrontMatter(NamedTuple):
    texts: dict[str, str]
    lists: dict[str, list[str]]
    line_by_key: dict[str, int]

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def list_items(self, name: str) -> list[str]:
        """A list; a single text counts as a list of one."""
        if name in self.lists:
            return self.lists[name]
        return [self.texts[name]] if self.texts.get(name) else []


def split_front_matter_and_body(file_name: str, text: str) -> tuple[FrontMatter, str]:
    """The head and the body; a file without a head is all body."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter({}, {}, {}), text
    for place, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return parse_front_matter(file_name, lines[1:place], 2), "\n".join(lines[place + 1 :])
    raise BadField(f"{file_name}, line 1", "begins a head with --- that never ends; close it with another ---.")


def parse_front_matter(file_name: str, lines: list[str], first_line_number: int = 1) -> FrontMatter:
    head = FrontMatter({}, {}, {})
    place = 0
    while place < len(lines):
        line, number = lines[place], first_line_number + place
        place += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(line) > TEXT_CHARS:
            raise BadField(f"{file_name}, line {number}", f"is longer than {TEXT_CHARS} characters.")
        key, colon, text = line.partition(":")
        key = key.rstrip()
        if not colon or not _KEY.match(key) or text[:1].strip():
            raise BadField(f"{file_name}, line {number}", "is not `name: value`; only texts and lists are read here.")
        value = _strip_comment(text)
        if key in head.line_by_key:
            raise BadField(f"{file_name}, line {number}, {key}", "is given twice; give it once.")
        head.line_by_key[key] = number
        below = _count_value_lines(lines, place)
        location = f"{file_name}, line {number}, {key}"
        if value[:1] in ("|", ">"):
            head.texts[key] = _parse_block_scalar(value, lines[place : place + below])
        elif value == "" and below:
            head.lists[key] = _parse_block_list(file_name, lines[place : place + below], number + 1, key)
        elif value.startswith("["):
            head.lists[key] = _parse_flow_list(location, value)
        else:
            head.texts[key] = _parse_scalar(location, value)
            below = 0
        place += below
    return head


def _count_value_lines(lines: list[str], start: int) -> int:
    """How many lines belong to the key above: those that are set in, or begin with a dash."""
    count = 0
    while start + count < len(lines):
        line = lines[start + count]
        if line.strip() and not line[0].isspace() and not line.startswith("- ") and line.rstrip() != "-":
            break
        count += 1
    return count


def _parse_block_list(file_name: str, lines: list[str], first_line_number: int, key: str) -> list[str]:
    items = []
    for place, line in enumerate(lines):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        location = f"{file_name}, line {first_line_number + place}, {key}"
        if not stripped.startswith("-"):
            raise BadField(location, "is nested; only texts and lists are read here.")
        items.append(_parse_scalar(location, _strip_comment(stripped[1:].strip())))
    return items


def _parse_flow_list(location: str, value: str) -> list[str]:
    if not value.endswith("]"):
        raise BadField(location, "begins a list with [ that does not end on its line.")
    parts, part, quote = [], "", ""
    for letter in value[1:-1]:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'" and not part.strip():
            quote = letter
        elif letter == ",":
            parts.append(part)
            part = ""
            continue
        elif letter in "[{":
            raise BadField(location, "is nested; only texts and lists are read here.")
        part += letter
    return [_parse_scalar(location, item.strip()) for item in [*parts, part] if item.strip()]


def _parse_block_scalar(marker: str, lines: list[str]) -> str:
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    texts = [line[depth:].rstrip() for line in lines]
    return (" ".join(filter(None, texts)) if marker.startswith(">") else "\n".join(texts)).strip()


def _parse_scalar(location: str, value: str) -> str:
    if value[:1] in ('"', "'"):
        if len(value) < 2 or value[-1] != value[0]:
            raise BadField(location, "begins with a quote that does not end on its line.")
        inner = value[1:-1]
        return inner.replace("''", "'") if value[0] == "'" else _ESCAPE.sub(_unescape, inner)
    if value[:1] in ("&", "*", "!", "{", "%", "@", "`"):
        raise BadField(location, f"begins with {value[0]!r}, which is not read here; put the text in quotes.")
    return "" if value in ("null", "~") else value


def _unescape(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if escape[0] == "u" and len(escape) > 1 else _ESCAPED.get(escape, escape)


def _strip_comment(value: str) -> str:
    stripped = value.strip()
    if stripped[:1] in ('"', "'"):
        return stripped
    return re.split(r"\s#", stripped, maxsplit=1)[0].strip()
