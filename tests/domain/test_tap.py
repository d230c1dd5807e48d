"""TAP in its forms, whole and broken."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.tap import parse_tap_report
from tests.patience import patience
from tests.refusals import refused


def outcomes(text):
    return [(test.name, test.outcome) for test in parse_tap_report(text)]


def test_tap_13():
    text = """TAP version 13
1..6
ok 1 - AC-1 shows the form
not ok 2 hashes
  ---
  message: |
    ok 3 - not a test
  severity: fail
  ...
# a comment
ok 3 # SKIP no network
not ok 4 - later # TODO not done
ok - without a number
ok
some other output
"""
    assert outcomes(text) == [
        ("AC-1 shows the form", "passed"),
        ("hashes", "failed"),
        ("test 3", "skipped"),
        ("later", "skipped"),
        ("without a number", "passed"),
        ("test", "passed"),
    ]


def test_tap_14_with_subtests_escapes_and_the_plan_at_the_end():
    text = r"""TAP version 14
# Subtest: sign in
    ok 1 - AC-1 in a subtest
    not ok 2 - AC-2 in a subtest
      ---
      at: x
      ...
    1..2
not ok 1 - sign in
pragma +strict
ok 2 - the \# of rows \\ all # time=3ms
1..2
"""
    assert outcomes(text) == [
        ("AC-1 in a subtest", "passed"),
        ("AC-2 in a subtest", "failed"),
        ("sign in", "failed"),
        (r"the # of rows \ all # time=3ms", "passed"),
    ]


def test_windows_lines_and_skipping_everything():
    assert outcomes("1..1\r\nok 1 - a\r\n") == [("a", "passed")]
    assert outcomes("1..0 # SKIP nothing to do\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok 1\n",
        "1..2\nok 1\n",
        "1..1\nok 1\nok 2\n",
        "1..1\n1..1\nok 1\n",
        "1..2\nok 1\nBail out! disk full\n",
        "1..2\nok 1\n  ---\n  never ends\nok 2\n",
        "1..20000\n" + "ok\n" * 20_000,
        "<testsuite/>",
    ],
)
def test_what_is_not_whole_is_refused(text):
    with refused(BadField):
        parse_tap_report(text)


@pytest.mark.parametrize(
    "text",
    [
        "ok " + "#" * 990_000,
        "ok " + "# " * 490_000,
        "ok" + " " * 990_000 + "x",
        " " * 990_000 + "ok",
        "ok\n" * 330_000,
        "  ---\n" * 160_000,
        "ok - " + "\\" * 990_000,
        "1.." + "9" * 990_000,
        "-" * 990_000,
        "\n" * 990_000,
        "\n" * 99_000 + "x" * 890_000,
    ],
    ids=range(11),
)
def test_a_megabyte_of_anything_is_refused_in_a_moment(text):
    with patience(), refused(BadField):
        parse_tap_report(text)


LINES = st.sampled_from(
    [
        "ok",
        "ok 1",
        "not ok 2 - x",
        "1..1",
        "1..0",
        "  ---",
        "  ...",
        "Bail out!",
        "    ok 1",
        "# Subtest: a",
        "ok # skip",
    ]
)


@given(st.one_of(st.text(), st.lists(LINES | st.text()).map("\n".join)))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(BadField):
        parse_tap_report(text)


NAMES = st.text(st.characters(categories=["L"]), min_size=1, max_size=20)


@given(st.lists(st.tuples(NAMES, st.booleans()), max_size=20))
def test_what_was_written_is_read(cases):
    lines = [f"{'' if good else 'not '}ok {n} - {name}" for n, (name, good) in enumerate(cases, 1)]
    found = parse_tap_report("\n".join([f"1..{len(cases)}", *lines]))
    assert [(test.name, test.outcome == "passed") for test in found] == cases
