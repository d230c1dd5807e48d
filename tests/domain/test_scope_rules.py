"""The part of a boundary or condition that is checked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.limits import GLOB_WILDCARDS, LINE_CHARS, RULE_VALUES
from pendesk.domain.scope_rules import (
    RuleKind,
    check_rules,
    describe_rule,
    prose_of,
    read_rule,
    read_rules,
    with_exceptions,
)
from tests.steps import count_steps


@pytest.mark.parametrize(
    ("text", "kind", "values", "exceptions", "words"),
    [
        (
            "No billing. {forbid: src/billing/**, !src/billing/tax.py}",
            RuleKind.FORBID,
            ("src/billing/**",),
            ("src/billing/tax.py",),
            "may not change src/billing/**, except src/billing/tax.py",
        ),
        ("{require: CHANGELOG.md}", RuleKind.REQUIRE, ("CHANGELOG.md",), (), "must change CHANGELOG.md"),
        ("Nothing new. {no-dependencies}", RuleKind.NO_DEPENDENCIES, (), (), "may add no dependency"),
        (
            "Nothing new. { No-Dependencies : !httpx } ",
            RuleKind.NO_DEPENDENCIES,
            (),
            ("httpx",),
            "may add no dependency, except httpx",
        ),
        (
            "{no-dependencies: left-pad, @x/y}",
            RuleKind.NO_DEPENDENCIES,
            ("left-pad", "@x/y"),
            (),
            "may not add left-pad, @x/y",
        ),
        ("Lint. {run: make lint}", RuleKind.RUN, ("make lint",), (), "must pass: make lint"),
        ("{run: docker ps -f '{{.ID}}', twice}", RuleKind.RUN, ("docker ps -f '{{.ID}}', twice",), (), None),
    ],
)
def test_a_rule_is_read_from_the_end_of_a_text(text, kind, values, exceptions, words):
    rule = read_rule(text)
    assert rule is not None
    assert (rule.text, rule.kind, rule.values, rule.exceptions) == (text, kind, values, exceptions)
    if words is not None:
        assert describe_rule(rule) == words
    check_rules({"boundaries": [text]})


@pytest.mark.parametrize(
    "text",
    [
        "No rule at all.",
        "{forbid: src/**} comes first here.",
        "Ends with a full stop {forbid: src/**}.",
        "A path such as /items/{id}",
        "{forbidden: src}",
        "{running: x}",
        "{}",
        "}",
        "unbalanced forbid: x}",
        "{unbalanced {forbid: x}}",
    ],
)
def test_other_braces_are_prose(text):
    assert read_rule(text) is None
    assert prose_of(text) == text
    check_rules({"boundaries": [text]})


def test_people_read_the_text_without_its_rule():
    assert prose_of("No billing. {forbid: src/billing}") == "No billing."
    assert prose_of("{run: make lint}") == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{forbid}", "names no path"),
        ("{forbid:}", "empty entry"),
        ("{forbid: a,,b}", "empty entry"),
        ("{forbid: a, !}", "empty entry"),
        ("{forbid: !a}", "names no path"),
        ("{forbid src/**}", "Write {forbid: src/billing/**"),
        ("{require: /etc/passwd}", "absolute path"),
        ("{require: ~/x}", "absolute path"),
        ("{require: C:/x}", "absolute path"),
        ("{forbid: src/../x}", ".. in the path"),
        ("{forbid: src\\x}", "backslash"),
        ("{forbid: src/\x00x}", "cannot be seen"),
        ("{forbid: src/\u202ex}", "cannot be seen"),
        ("{forbid: src\n/x}", "cannot be seen"),
        ("{forbid: src/{a,b}}", "braces"),
        ("{forbid: " + "*a" * (GLOB_WILDCARDS + 1) + "}", "wildcards"),
        ("{forbid: " + "a" * 251 + "}", "250 characters"),
        ("{forbid: " + ",".join("a" * 51) + "}", f"more than {RULE_VALUES} entries"),
        ("{no-dependencies: left-pad@1.0 || 2}", "without versions"),
        ("{no-dependencies: a\x07b}", "without versions"),
        ("{run}", "names no command"),
        ("{run: }", "names no command"),
        ("{run: " + "a" * 501 + "}", "500 characters"),
        ("{run: a\nb}", "cannot be seen"),
        ("{forbid: a} {run: b}", "line of its own"),
    ],
)
def test_a_rule_that_cannot_be_checked_is_refused_by_name(text, problem):
    with pytest.raises(BadField, match=r"boundaries\[1\]") as refusal:
        check_rules({"conditions": ["fine"], "boundaries": ["fine", text]})
    assert problem in str(refusal.value)
    assert read_rule(text) is None


def test_what_was_saved_before_is_refused_no_more():
    check_rules({"boundaries": ["{forbid}", "new"]}, saved=["{forbid}"])


def test_the_rules_of_a_spec_are_bounded_together():
    texts = ["{forbid: " + ",".join("a" * 40) + "}"] * 3
    with pytest.raises(BadField, match=r"conditions\[2\].*more than 100 paths"):
        check_rules({"conditions": texts, "boundaries": []})


def test_a_text_that_stands_twice_is_one_rule():
    assert len(read_rules(["{run: a}", "prose", "{run: a}", "{run: b}"])) == 2


def test_exceptions_are_written_into_the_rule_once():
    text = with_exceptions("No billing. {forbid: src/billing/**, !a}", ["src/billing/tax.py", "a"])
    assert text == "No billing. {forbid: src/billing/**, !a, !src/billing/tax.py}"
    assert with_exceptions("{no-dependencies}", ["httpx"]) == "{no-dependencies: !httpx}"


@pytest.mark.parametrize("name", ["a,b.py", "x}y", "a\nb", "a" * LINE_CHARS, "../x"])
def test_an_exception_that_a_rule_cannot_hold_is_refused(name):
    with pytest.raises(RuleBroken, match="edit the spec yourself"):
        with_exceptions("{forbid: src}", [name])


def test_dependencies_are_compared_without_capitals_and_kinds_of_dashes():
    rule = read_rule("{no-dependencies: Left_Pad, !ruamel.yaml}")
    assert rule is not None
    assert rule.covers_dependency("left-pad")
    assert not rule.covers_dependency("ruamel-yaml")
    assert not rule.covers_dependency("httpx")


@given(st.text(alphabet="{}: !,ab*/\\.runforbid-", max_size=60))
def test_any_text_is_a_rule_or_refused_or_prose(text):
    rule = read_rule(text)
    try:
        check_rules({"boundaries": [text]})
    except BadField:
        assert rule is None
    if rule is not None:
        assert read_rule(f"x {text[text.index('{') :]}") is not None


def test_a_text_of_braces_alone_is_read_once():
    assert count_steps(lambda: read_rule("{" * 1_000 + "}" * 1_000)) < 20_000
    assert count_steps(lambda: read_rule("}" * 2_000)) < 20_000
