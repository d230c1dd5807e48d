"""TAP (Test Anything Protocol, 12 to 14) -> tests, subtests included."""

import re

from pendesk.domain.errors import BadField
from pendesk.domain.limits import REPORT_LINES, REPORT_TESTS
from pendesk.domain.test_report import ReportedTest, TestOutcome, truncate_test_name

# The indent of a subtest is four spaces in TAP 14; others use other widths.
_TEST = re.compile(r"([ \t]*+)(not )?ok\b[ \t]*+([0-9]{1,9}\b)?[ \t]*+(?:-[ \t]++)?(.*)\Z")
_PLAN = re.compile(r"1\.\.([0-9]{1,9})[ \t]*(?:#.*)?\Z")
_DIRECTIVE = re.compile(r"(?:\A|[^\\])#[ \t]*(?:skip|todo)", re.IGNORECASE)
_YAML_START = re.compile(r"[ \t]+---[ \t]*\Z")
_YAML_END = re.compile(r"[ \t]+\.\.\.[ \t]*\Z")
_BAIL_OUT = re.compile(r"[ \t]*Bail out!", re.IGNORECASE)


def parse_tap_report(text: str) -> list[ReportedTest]:
    """A run that broke off is refused: nobody knows how the rest of it would have come out."""
    tests: list[ReportedTest] = []
    planned: int | None = None
    top_level = 0
    in_yaml = False
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > REPORT_LINES:
        raise BadField("content", f"has more than {REPORT_LINES} lines; upload it in parts.")
    for line in lines:
        if in_yaml:
            in_yaml = _YAML_END.match(line) is None
        elif (match := _TEST.match(line)) is not None:
            top_level += match[1] == ""
            tests.append(_parse_test(match))
            if len(tests) > REPORT_TESTS:
                raise BadField("content", f"has more than {REPORT_TESTS} tests; upload it in parts.")
        elif (match := _PLAN.match(line)) is not None:
            if planned is not None:
                raise BadField("content", "has two plans; upload one run at a time.")
            planned = int(match[1])
        elif _BAIL_OUT.match(line) is not None:
            raise BadField("content", "is of a run that bailed out; upload a whole run.")
        else:
            in_yaml = _YAML_START.match(line) is not None
    if planned is None:
        raise BadField("content", "has no plan (1..N), so nobody can tell whether it is whole.")
    if planned != top_level:
        raise BadField("content", f"plans {planned} tests and has {top_level}; upload a whole run.")
    return tests


def _parse_test(match: "re.Match[str]") -> ReportedTest:
    failed, number, rest = match[2], match[3], match[4]
    directive = _DIRECTIVE.search(rest)
    name = rest[: directive.start() + 1].rstrip(" \t#") if directive else rest.strip()
    name = truncate_test_name(name.replace("\\#", "#").replace("\\\\", "\\") or f"test {number or ''}".strip())
    outcome: TestOutcome = "skipped" if directive else "failed" if failed else "passed"
    return ReportedTest(name, name, outcome)
