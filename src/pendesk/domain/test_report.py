"""A report of a test run: its tests, and which acceptance criteria they are about.

A test is about a criterion when its name, class or a property holds the criterion's id or the beginning of it, or
`AC-2` for the second criterion, or when the caller's mapping says so.
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pendesk.domain.errors import BadField
from pendesk.domain.limits import TEST_NAME_CHARS, TEST_NAMES_SHOWN
from pendesk.domain.report import Outcome

TestOutcome = Literal["passed", "failed", "skipped"]

SHORTEST_PREFIX_CHARS = 8
PATTERN_STARS = 4
_HEX_ID = re.compile(
    r"(?<![0-9A-Za-z])(?:"
    r"[0-9A-Fa-f]{8}([-_])[0-9A-Fa-f]{4}\1[0-9A-Fa-f]{4}\1[0-9A-Fa-f]{4}\1[0-9A-Fa-f]{12}"  # whole
    r"|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{1,12}){1,4}"  # its beginning, as it is written
    r"|[0-9A-Fa-f]{8,32}"  # the same without dashes, as fits a function's name
    r")(?![0-9A-Za-z])(?!-[0-9A-Fa-f]+(?![0-9A-Za-z]))"  # and no more of one after it
)
_NTH = re.compile(r"(?<![0-9A-Za-z])AC[-_ ]?([1-9][0-9]?)(?![0-9A-Za-z])", re.IGNORECASE)


class ReportedTest(NamedTuple):
    """`searched_text` is all that may name a criterion: class, name and properties."""

    name: str
    searched_text: str
    outcome: TestOutcome


class CriterionTestTally(NamedTuple):
    """What a report says about one criterion."""

    criterion_id: str
    passed: list[str]
    failed: list[str]

    @property
    def outcome(self) -> Outcome:
        return Outcome.FAILED if self.failed else Outcome.PASSED

    def summary(self, source_report_format: str) -> str:
        listed = self.failed or self.passed
        names = ", ".join(listed[:TEST_NAMES_SHOWN]) + (", ..." if len(listed) > TEST_NAMES_SHOWN else "")
        ran = len(self.passed) + len(self.failed)
        if self.failed:
            return f"{len(self.failed)} of {ran} tests failed in the {source_report_format} report: {names}"
        return f"{ran} of {ran} tests passed in the {source_report_format} report: {names}"


class CriterionAliases(NamedTuple):
    """What a test may call the criteria of one action: beginnings of ids that are long enough, and places."""

    id_by_prefix: dict[str, str]
    ordered_ids: list[str]
    key: str
    ref_number: int


def build_criterion_aliases(
    ids_with_neighbours_in_id_order: Iterable[tuple[str, str | None, str | None]], project_key: str, ref_number: int
) -> CriterionAliases:
    """`ids_with_neighbours_in_id_order` are the criteria in order, each with the ids next to its own: one begins like
    no other from the character on in which it differs from both.
    """
    ids: dict[str, str] = {}
    ordered: list[str] = []
    for criterion_id, before, after in ids_with_neighbours_in_id_order:
        mine = _lowercase_without_separators(criterion_id)
        shared = max(
            _common_prefix_length(mine, _lowercase_without_separators(other)) for other in (before or "", after or "")
        )
        ids[mine[: max(shared + 1, SHORTEST_PREFIX_CHARS)]] = criterion_id
        ordered.append(criterion_id)
    return CriterionAliases(ids, ordered, project_key, ref_number)


def check_patterns_within_wildcard_limit(criterion_id_by_test_pattern: dict[str, str]) -> None:
    for pattern in criterion_id_by_test_pattern:
        if pattern.count("*") > PATTERN_STARS:
            raise BadField("mapping", f"{pattern[:80]!r} has more than {PATTERN_STARS} *; name the tests more closely.")


def tally_by_criterion_with_unmatched(
    tests: list[ReportedTest], aliases: CriterionAliases, criterion_id_by_test_pattern: dict[str, str]
) -> tuple[dict[str, CriterionTestTally], list[ReportedTest]]:
    """Criterion id -> what its tests say, and the tests that are about none. What was skipped says nothing."""
    patterns = _compile_patterns(criterion_id_by_test_pattern)
    refs = _action_ref_pattern(aliases)
    tallies: dict[str, CriterionTestTally] = {}
    unmapped: list[ReportedTest] = []
    for test in tests:
        criterion_ids = criterion_ids_mentioned_in(
            test.searched_text, aliases, refs
        ) | _criterion_ids_matching_test_name(test.name, patterns)
        if not criterion_ids:
            unmapped.append(test)
        for criterion_id in criterion_ids if test.outcome != "skipped" else ():
            criterion_tally = tallies.setdefault(criterion_id, CriterionTestTally(criterion_id, [], []))
            (criterion_tally.passed if test.outcome == "passed" else criterion_tally.failed).append(test.name)
    return tallies, unmapped


def criterion_ids_mentioned_in(
    text: str, aliases: CriterionAliases, action_ref_pattern: "re.Pattern[str] | None" = None
) -> set[str]:
    """The criteria that a text names, by the same rule as the name of a test."""
    return _criterion_ids_named_by_id(text, aliases) | _criterion_ids_named_by_position(
        text, aliases, action_ref_pattern or _action_ref_pattern(aliases)
    )


def _action_ref_pattern(aliases: CriterionAliases) -> "re.Pattern[str]":
    return re.compile(rf"(?<![0-9A-Za-z]){re.escape(aliases.key)}[-_]([1-9][0-9]*)(?![0-9A-Za-z])", re.IGNORECASE)


def _criterion_ids_named_by_id(text: str, aliases: CriterionAliases) -> set[str]:
    matches = set()
    lengths = {len(start) for start in aliases.id_by_prefix}
    for match in _HEX_ID.finditer(text):
        written = _lowercase_without_separators(match[0])
        for criterion_id in {aliases.id_by_prefix.get(written[:length]) for length in lengths}:
            if criterion_id is not None and _lowercase_without_separators(criterion_id).startswith(written):
                matches.add(criterion_id)
    return matches


def _criterion_ids_named_by_position(
    text: str, aliases: CriterionAliases, action_ref_pattern: "re.Pattern[str]"
) -> set[str]:
    """AC-2 is this action's second criterion, unless the test names another action of the project."""
    places = {int(number) for number in _NTH.findall(text)}
    if not places:
        return set()
    named = {int(number[:10]) for number in action_ref_pattern.findall(text)}
    if named and aliases.ref_number not in named:
        return set()
    return {aliases.ordered_ids[place - 1] for place in places if place <= len(aliases.ordered_ids)}


class _TestNamePattern(NamedTuple):
    """A name with `*` for any text. `rarest` is its longest piece: most names lack it, which is cheap to see."""

    first: str
    middle: list[str]
    last: str | None
    rarest: str
    criterion_id: str

    def matches(self, name: str) -> bool:
        if self.last is None:
            return name == self.first
        place, end = len(self.first), len(name) - len(self.last)
        if end < place or not name.startswith(self.first) or not name.endswith(self.last):
            return False
        for piece in self.middle:
            place = name.find(piece, place, end) + len(piece)
            if place < len(piece):
                return False
        return True


def _compile_patterns(criterion_id_by_test_pattern: dict[str, str]) -> list[_TestNamePattern]:
    patterns = []
    for pattern, criterion_id in criterion_id_by_test_pattern.items():
        first, *rest = pattern.split("*")
        rarest = max([first, *rest], key=len)
        patterns.append(_TestNamePattern(first, rest[:-1], rest[-1] if rest else None, rarest, criterion_id))
    return patterns


def _criterion_ids_matching_test_name(test_name: str, patterns: list[_TestNamePattern]) -> set[str]:
    """The first that fits wins."""
    for pattern in patterns:
        if pattern.rarest in test_name and pattern.matches(test_name):
            return {pattern.criterion_id}
    return set()


def _common_prefix_length(first: str, second: str) -> int:
    """How many characters both begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _lowercase_without_separators(criterion_id: str) -> str:
    return criterion_id.replace("-", "").replace("_", "").lower()


def truncate_test_name(name: str) -> str:
    return name if len(name) <= TEST_NAME_CHARS else name[: TEST_NAME_CHARS - 3] + "..."
