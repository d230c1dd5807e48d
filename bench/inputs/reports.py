"""Test reports, and what GitHub says."""

from collections.abc import Callable

from bench.inputs.case import case, repeated
from pendesk.domain.github import action_numbers_in_commit_and_branch
from pendesk.domain.junit import parse_junit_report
from pendesk.domain.limits import MESSAGE_CHARS, REPORT_CHARS, REPORT_MAPPINGS, REPORT_TESTS, TEST_NAME_CHARS
from pendesk.domain.tap import parse_tap_report
from pendesk.domain.test_report import (
    CriterionAliases,
    ReportedTest,
    build_criterion_aliases,
    criterion_ids_mentioned_in,
    tally_by_criterion_with_unmatched,
)

NAMES = build_criterion_aliases(
    [(f"01890000-0000-7000-8000-{number:012x}", None, None) for number in range(50)], "PEN", 1
)


def suite(unit: str) -> Callable[[int], str]:
    return repeated(unit, "<testsuite>", "</testsuite>")


def one_test(unit: str) -> Callable[[int], str]:
    return repeated(unit, "<testsuite><testcase name='a'>", "</testcase></testsuite>")


def attributes(size: int) -> str:
    written = " ".join(f"a{number}=''" for number in range((size - 40) // 12))
    return f"<testsuite {written}></testsuite>"


def names(size: int) -> list[ReportedTest]:
    """Names that hold the rarest piece of each pattern, and nearly the rest."""
    name = ("ab" * TEST_NAME_CHARS)[: TEST_NAME_CHARS - 1] + "c"
    return [ReportedTest(name, name, "passed")] * (size // TEST_NAME_CHARS)


def patterns(_size: int) -> dict[str, str]:
    piece = "ab" * 30
    return {f"*{piece}*{piece}b*{piece}a*x{number}": NAMES.ordered_ids[0] for number in range(REPORT_MAPPINGS)}


def tallied(tests: list[ReportedTest], mapping: dict[str, str]) -> object:
    return tally_by_criterion_with_unmatched(tests, NAMES, mapping)


def tap(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (min(size // len(unit), REPORT_TESTS)) + f"1..{min(size // len(unit), REPORT_TESTS)}\n"


def words(text: str) -> set[str]:
    return criterion_ids_mentioned_in(text, CriterionAliases(NAMES.id_by_prefix, NAMES.ordered_ids, "PEN", 1))


CASES = [
    case("JUnit", "empty tests", REPORT_CHARS, parse_junit_report, suite("<testcase/>")),
    case("JUnit", "10,000 tests with 4 empty elements", REPORT_CHARS, parse_junit_report,
         suite("<testcase><a/><a/><a/><a/></testcase>")),
    case("JUnit", "one element of 80,000 attributes", REPORT_CHARS, parse_junit_report, attributes),
    case("JUnit", "one attribute of line breaks", REPORT_CHARS, parse_junit_report,
         repeated("\n", "<testsuite a='", "'></testsuite>")),
    case("JUnit", "one test of 30,000 properties", REPORT_CHARS, parse_junit_report,
         one_test("<property name='a' value='b'/>")),
    case("JUnit", "a comment of dashes and blanks", REPORT_CHARS, parse_junit_report,
         repeated("- ", "<testsuite><!--", "--></testsuite>")),
    case("TAP", "10,000 tests", REPORT_CHARS, parse_tap_report, tap("ok\n")),
    case("TAP", "10,000 tests with many marks", REPORT_CHARS, parse_tap_report, tap(f"ok {'# ' * 40}\n")),
    case("TAP", "one test of marks and blanks", REPORT_CHARS, parse_tap_report,
         lambda size: "ok " + "#" + " " * size + "#" + "\n1..1\n"),
    case("tests to criteria", "names that nearly fit 50 patterns", REPORT_CHARS, tallied, names, patterns),
    case("tests to criteria", "words full of ids", REPORT_CHARS, words, repeated("01890000-0000-7000-8000-0 ")),
    case("tests to criteria", "words of hex digits and dashes", REPORT_CHARS, words, repeated("abcdef01-a-")),
    case("tests to criteria", "one word of hex digits", REPORT_CHARS, words, repeated("a", "abcdef01-")),
    case("tests to criteria", "10,000 places", REPORT_CHARS, words, repeated("AC-1 PEN-1 ")),
    case("commit message", "refs without an end", MESSAGE_CHARS,
         lambda text: action_numbers_in_commit_and_branch("PEN", text, text), repeated("PEN-1")),
]  # fmt: skip
