"""The part of a boundary or condition that is checked: a block in braces at the very end of its text.

    No billing code is touched. {forbid: src/billing/**, !src/billing/tax.py}
    The change is told to users. {require: CHANGELOG.md}
    Nothing new is installed. {no-dependencies}, {no-dependencies: left-pad}, {no-dependencies: !httpx}
    The linter is content. {run: make lint}

It stands in the text itself, so that revisions, drafts, builds and exports carry it as it is. Braces that begin with
another word, or that more text follows, are prose.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.limits import (
    COMMAND_CHARS,
    DEPENDENCY_NAME_CHARS,
    GLOB_CHARS,
    GLOB_WILDCARDS,
    LINE_CHARS,
    RULE_VALUES,
    SCOPE_VALUES,
)
from pendesk.domain.path_globs import matches

# The lists of a spec whose texts may carry a rule.
FIELDS = ("conditions", "boundaries")
_WORD = re.compile(r"[a-z-]*")
_DRIVE = re.compile(r"[A-Za-z]:")
_DASHES = re.compile(r"[-_.]+")
_DEPENDENCY = re.compile(r"@?[A-Za-z0-9][A-Za-z0-9._~/@-]*\Z")


class RuleKind(StrEnum):
    FORBID = "forbid"
    REQUIRE = "require"
    NO_DEPENDENCIES = "no-dependencies"
    RUN = "run"


_EXAMPLES = {
    RuleKind.FORBID: "{forbid: src/billing/**, !src/billing/tax.py}",
    RuleKind.REQUIRE: "{require: CHANGELOG.md}",
    RuleKind.NO_DEPENDENCIES: "{no-dependencies} or {no-dependencies: left-pad, !httpx}",
    RuleKind.RUN: "{run: make lint}",
}


class ScopeRule(NamedTuple):
    """`text` is the whole boundary or condition. `values` are globs, names of dependencies, or the one command; none
    stands for every dependency. `exceptions` came with an exclamation mark.
    """

    text: str
    kind: RuleKind
    values: tuple[str, ...]
    exceptions: tuple[str, ...] = ()

    def covers_path(self, path: str) -> bool:
        return any(matches(glob, path) for glob in self.values) and not self.excepts_path(path)

    def excepts_path(self, path: str) -> bool:
        return any(matches(glob, path) for glob in self.exceptions)

    def covers_dependency(self, name: str) -> bool:
        name = normal_dependency_name(name)
        if name in map(normal_dependency_name, self.exceptions):
            return False
        return not self.values or name in map(normal_dependency_name, self.values)


class RuleProblem(ValueError):
    """Why a block is not a rule, to be read after the place where it stands."""


def read_rule(text: str) -> ScopeRule | None:
    """None without a rule, or with one that nobody could have saved: such a text came from elsewhere and is prose."""
    try:
        return _parse_rule(text)
    except RuleProblem:
        return None


def read_rules(texts: Iterable[str]) -> list[ScopeRule]:
    """Of a whole spec; a text that stands there twice is one rule."""
    return [rule for rule in map(read_rule, dict.fromkeys(texts)) if rule is not None]


def prose_of(text: str) -> str:
    """What people read beside the rule."""
    return _prose_and_block(text)[0] if read_rule(text) else text


def check_rules(lists: Mapping[str, list[str]], saved: Iterable[str] = ()) -> None:
    """Refuse by name what reads like a rule and is none. What was saved before stays, whatever it is."""
    known, count = set(saved), 0
    for field in FIELDS:
        for number, text in enumerate(lists.get(field, ())):
            try:
                rule = _parse_rule(text)
            except RuleProblem as problem:
                if text not in known:
                    raise BadField(f"{field}[{number}]", str(problem)) from None
                continue
            count += len(rule.values) + len(rule.exceptions) if rule else 0
            if count > SCOPE_VALUES:
                raise BadField(
                    f"{field}[{number}]",
                    f"the rules of this spec name more than {SCOPE_VALUES} paths, dependencies and commands. "
                    "Join some with ** or name a folder.",
                )


def with_exceptions(text: str, names: Iterable[str]) -> str:
    """The text with these taken out of its rule. Refused where they cannot be written there."""
    rule = read_rule(text)
    assert rule is not None
    exceptions = tuple(dict.fromkeys((*rule.exceptions, *names)))
    values = ", ".join((*rule.values, *(f"!{name}" for name in exceptions)))
    edited = f"{prose_of(text)} {{{rule.kind}: {values}}}".lstrip()
    edited_rule = read_rule(edited)
    # A comma in the name of a file would make two of it.
    if len(edited) > LINE_CHARS or edited_rule is None or edited_rule.exceptions != exceptions:
        raise RuleBroken(
            "These exceptions cannot be written into the rule: they are too many, too long, or have characters that a "
            "rule cannot hold. Accept them without changing the spec, and edit the spec yourself, with a folder or **.",
            code="rule_too_long",
        )
    return edited


def describe_rule(rule: ScopeRule) -> str:
    """In a few words, to be read after "Checked:"."""
    values = ", ".join(rule.values)
    if rule.kind == RuleKind.RUN:
        return f"must pass: {values}"
    if rule.kind == RuleKind.NO_DEPENDENCIES:
        words = f"may not add {values}" if values else "may add no dependency"
    else:
        words = f"{'may not' if rule.kind == RuleKind.FORBID else 'must'} change {values}"
    return f"{words}, except {', '.join(rule.exceptions)}" if rule.exceptions else words


def normal_dependency_name(name: str) -> str:
    """The registries tell neither capitals nor the kind of dash apart, or it would be no loss if they did not."""
    return _DASHES.sub("-", name.casefold())


def normal_command(command: str) -> str:
    return " ".join(command.split())


def _parse_rule(text: str) -> ScopeRule | None:
    prose, block = _prose_and_block(text)
    kind = _kind_of(block)
    if kind is None:
        return None
    if _kind_of(_prose_and_block(prose)[1]) is not None:
        raise RuleProblem("has two rules, and a line has one. Write the other into a line of its own.")
    rest = block[1:-1].strip()[len(kind) :].strip()
    if rest and not rest.startswith(":"):
        raise RuleProblem(
            f"ends in braces that begin with {kind}, so it reads like a rule. Write {_EXAMPLES[kind]}, or let the "
            "sentence go on after the braces."
        )
    if kind == RuleKind.RUN:
        return ScopeRule(text, kind, (_command(rest[1:]),))
    return _rule_with_values(text, kind, rest[1:].split(",") if rest else [])


def _prose_and_block(text: str) -> tuple[str, str]:
    """The block is from the brace that the last character closes; it is empty where there is none."""
    text, depth = text.rstrip(), 0
    if text.endswith("}"):
        for place in range(len(text) - 1, -1, -1):
            depth += {"}": 1, "{": -1}.get(text[place], 0)
            if depth == 0:
                return text[:place].rstrip(), text[place:]
    return text, ""


def _kind_of(block: str) -> RuleKind | None:
    word = _WORD.match(block[1:].lstrip().lower())
    return RuleKind(word.group()) if word and word.group() in set(RuleKind) else None


def _rule_with_values(text: str, kind: RuleKind, parts: list[str]) -> ScopeRule:
    values: list[str] = []
    exceptions: list[str] = []
    check = _check_dependency if kind == RuleKind.NO_DEPENDENCIES else _check_glob
    for part in map(str.strip, parts):
        value = part.removeprefix("!").strip()
        if not value:
            raise RuleProblem(f"has an empty entry in its rule. Write {_EXAMPLES[kind]}.")
        check(value)
        (exceptions if part.startswith("!") else values).append(value)
    if not values and kind != RuleKind.NO_DEPENDENCIES:
        raise RuleProblem(f"has a rule that names no path. Write {_EXAMPLES[kind]}.")
    if len(values) + len(exceptions) > RULE_VALUES:
        raise RuleProblem(f"has a rule of more than {RULE_VALUES} entries. Join some with ** or name a folder.")
    return ScopeRule(text, kind, tuple(values), tuple(exceptions))


def _check_glob(glob: str) -> None:
    if len(glob) > GLOB_CHARS or glob.count("*") + glob.count("?") > GLOB_WILDCARDS:
        raise RuleProblem(f"has a path of more than {GLOB_CHARS} characters or {GLOB_WILDCARDS} wildcards. Shorten it.")
    _check_printable(glob)
    if "\\" in glob:
        raise RuleProblem("has a backslash in a path. Write / between folders.")
    if glob.startswith(("/", "~")) or _DRIVE.match(glob):
        raise RuleProblem(f"has an absolute path, {glob}. Write it from the root of the repository: src/billing/**.")
    if ".." in glob.split("/"):
        raise RuleProblem(f"has .. in the path {glob}. Write it from the root of the repository: src/billing/**.")
    if "{" in glob or "}" in glob:
        raise RuleProblem(f"has braces in the path {glob}. Write each path by itself, with a comma between them.")


def _check_dependency(name: str) -> None:
    if len(name) > DEPENDENCY_NAME_CHARS or not _DEPENDENCY.match(name):
        raise RuleProblem(
            f"names a dependency {name[:40]!r}, which is no name of a package. "
            f"Write names alone, without versions: {_EXAMPLES[RuleKind.NO_DEPENDENCIES]}."
        )


def _command(text: str) -> str:
    command = text.strip()
    if not command:
        raise RuleProblem(f"has a rule that names no command. Write {_EXAMPLES[RuleKind.RUN]}.")
    if len(command) > COMMAND_CHARS:
        raise RuleProblem(f"has a command of more than {COMMAND_CHARS} characters. Put it into a script and name that.")
    _check_printable(command)
    return command


def _check_printable(value: str) -> None:
    if not value.isprintable():
        raise RuleProblem("has a line break or a character that cannot be seen in its rule. Write it on one line.")
