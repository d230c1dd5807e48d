"""Which lines of a file that lists dependencies name one, as far as a part of the file tells.

A diff shows a few lines around what changed, so the section that a line stands in may not be among them. Git's heading
of a hunk often names it; where nothing does, a line is taken for a dependency if it is written like one, and called
unsure.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class ListedDependency(NamedTuple):
    """`line`: its place among the lines that were read."""

    line: int
    name: str
    sure: bool = True


class Lines(NamedTuple):
    """One side of a hunk. `heading`: the last line before it that begins with a letter. `at_start`: of the file."""

    lines: list[str]
    heading: str
    at_start: bool


Reader = Callable[[Lines], Iterator[ListedDependency]]

_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EGG = re.compile(r"#egg=([A-Za-z0-9._-]+)")
_URL_NAME = re.compile(r"([A-Za-z0-9._-]+?)(?:\.git)?(?:@[^/@]*)?(?:#.*)?\Z")
_TABLE = re.compile(r"\[\[?([^\]]*)\]")
_TABLE_PART = re.compile(r"""[^."']+|"[^"]*"|'[^']*'""")
_KEY = re.compile(r"""(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))((?:\.[A-Za-z0-9_-]+)*)\s*=\s*""")
_TOML_STRING = re.compile(r""""([^"]*)"|'([^']*)'""")
_PACKAGE = re.compile(r"""\bpackage\s*=\s*["']([^"']*)["']""")
_JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]')
_VERSION = re.compile(
    r"""["']?\s*(?:[\^~*=<>]|v?\d+(?:\.|["'\s]|\Z)|latest\b|workspace:|npm:|file:|link:|git|https?:)"""
)

_DEPENDENCY_TABLES = {
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "dev_dependencies",
    "build_dependencies",
}
_PYTHON_ARRAYS = {"dependencies", "requires", "dev-dependencies"}
_JSON_SECTIONS = {"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}
# What is written like a dependency with a version, and is none.
_OTHER_KEYS = {"version", "edition", "rust-version", "resolver", "node", "npm", "yarn", "pnpm", "python", "name"}
_OTHER_KEYS |= {"requires-python", "target-version", "line-length", "packageManager", "url", "homepage", "repository"}


def read_requirements(part: Lines) -> Iterator[ListedDependency]:
    """requirements.txt: one to a line."""
    for place, line in enumerate(part.lines):
        text = line.strip()
        if text.startswith(("-e ", "--editable ")):
            text = text.split(None, 1)[1]
        elif text.startswith(("#", "-")):
            continue
        name = _name_of_requirement(text)
        if name is not None:
            yield ListedDependency(place, name)


def read_package_json(part: Lines) -> Iterator[ListedDependency]:
    """The objects that are open say which section it is; None stands for one that opened before the hunk."""
    objects: list[str | None] = [None] if not part.at_start else []
    key = last = ""
    for place, line in enumerate(part.lines):
        for match in _JSON_PART.finditer(line):
            piece = match.group()
            if piece == "{":
                objects.append(key)
                key = ""
            elif piece == "}":
                del objects[-1:]
                objects = objects or [""]
            elif piece == ":":
                key = last
            elif piece.startswith('"'):
                section = objects[-1] if objects else ""
                if key and _is_json_dependency(section, key, piece):
                    yield ListedDependency(place, key, sure=section is not None)
                key, last = "", _unquoted(piece)
            else:
                key = ""


def _is_json_dependency(section: str | None, key: str, value: str) -> bool:
    if section is None:
        return key not in _OTHER_KEYS and _VERSION.match(value) is not None
    return section in _JSON_SECTIONS


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token[1:-1]


def read_go_mod(part: Lines) -> Iterator[ListedDependency]:
    """What is only needed by a dependency is marked so, and not counted."""
    block = _go_block(part.heading) if part.heading else ("" if part.at_start else None)
    for place, line in enumerate(part.lines):
        text = line.strip()
        if text.endswith("("):
            block = _go_block(text)
        elif text.startswith(")"):
            block = ""
        elif "=>" not in text:
            is_single = text.startswith("require ")
            module = _go_module(text.removeprefix("require "))
            if module and (is_single or block in ("require", None)):
                yield ListedDependency(place, module, sure=is_single or block is not None)


def _go_module(text: str) -> str | None:
    """A host with a dot, and a version. What only another dependency needs has a comment that says so."""
    requirement, _, comment = text.partition("//")
    words = requirement.split()
    is_module = (
        len(words) == 2 and "." in words[0].partition("/")[0] and words[1][:1] == "v" and words[1][1:2].isdigit()
    )
    return words[0] if is_module and comment.strip() != "indirect" else None


def _go_block(line: str) -> str:
    word, _, rest = line.partition(" ")
    return word if rest.strip().startswith("(") else ""


def read_cargo_toml(part: Lines) -> Iterator[ListedDependency]:
    yield from _read_toml(part, is_cargo=True)


def read_pyproject(part: Lines) -> Iterator[ListedDependency]:
    yield from _read_toml(part, is_cargo=False)


def _read_toml(part: Lines, *, is_cargo: bool) -> Iterator[ListedDependency]:
    table: list[str] | None = [] if part.at_start else None
    array = _opened_array(part.heading)
    for place, line in enumerate(part.lines):
        text = line.strip()
        header = _TABLE.match(text) if array is None or text.endswith("]") else None
        if header and not text.startswith(('["', "['")) and "=" not in text.partition("]")[0]:
            table, array = [part.strip("\"'") for part in _TABLE_PART.findall(header.group(1))], None
            name = _name_of_table(table)
            if name is not None:
                yield ListedDependency(place, name)
            continue
        key = _KEY.match(text) if array is None else None
        if key is None:
            if array is not None and not is_cargo:
                yield from _array_items(place, text, table, array)
            array = None if array is not None and text.startswith("]") else array
            continue
        name, value = key.group(1) or key.group(2) or key.group(3), text[key.end() :]
        if value.startswith("["):
            if not is_cargo:
                yield from _array_items(place, value, table, name)
            array = None if "]" in _TOML_STRING.sub("", value) else name
        elif _is_toml_dependency(table, name, value, is_cargo):
            package = _PACKAGE.search(value)
            yield ListedDependency(place, package.group(1) if package else name, sure=table is not None)


def _opened_array(heading: str) -> str | None:
    key = _KEY.match(heading)
    if key is None or not heading[key.end() :].startswith("[") or "]" in heading:
        return None
    return key.group(1) or key.group(2) or key.group(3)


def _name_of_table(table: list[str]) -> str | None:
    """[dependencies.serde] names one by itself."""
    return table[-1] if len(table) > 1 and table[-2] in _DEPENDENCY_TABLES and table[-1] != "python" else None


def _is_toml_dependency(table: list[str] | None, key: str, value: str, is_cargo: bool) -> bool:
    if table is not None:
        is_listed = bool(table) and table[-1] in _DEPENDENCY_TABLES and (is_cargo or table[:2] == ["tool", "poetry"])
        return is_listed and key != "python"
    is_table = value.startswith("{") and any(word in value for word in ("version", "git", "path", "workspace"))
    return key not in _OTHER_KEYS and (is_table or (value[:1] in "\"'" and _VERSION.match(value) is not None))


def _array_items(place: int, text: str, table: list[str] | None, array: str) -> Iterator[ListedDependency]:
    names = [
        (name, string)
        for double, single in _TOML_STRING.findall(text)
        if (name := _name_of_requirement(string := double or single)) is not None
    ]
    if table is None:
        known = array in _PYTHON_ARRAYS
        yield from (
            ListedDependency(place, name, sure=known)
            for name, string in names
            if known or (array not in _OTHER_KEYS and any(sign in string for sign in "=<>~@"))
        )
    elif _is_python_array(table, array):
        yield from (ListedDependency(place, name) for name, _ in names)


def _is_python_array(table: list[str], array: str) -> bool:
    if table in (["project", "optional-dependencies"], ["dependency-groups"]):
        return True
    return array in _PYTHON_ARRAYS and table in (["project"], ["build-system"], ["tool", "uv"])


def _name_of_requirement(text: str) -> str | None:
    """The name, also of one that is given by its address; None for an empty line or a path."""
    text = text.strip()
    if "://" in text.split(" ", 1)[0]:
        address = text.split(" ", 1)[0]
        name = _EGG.search(address) or _URL_NAME.match(address.rstrip("/").rpartition("/")[2])
        return name.group(1) if name else address
    name = _REQUIREMENT.match(text)
    return name.group() if name else None
