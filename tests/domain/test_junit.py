"""JUnit XML, friendly and hostile."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.junit import parse_junit_report
from tests.patience import patience
from tests.refusals import refused

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="5" time="0.1">
<testcase classname="tests.test_form" name="test_shows[ä]" time="0.001" />
<testcase classname="tests.test_form" name="test_fails" time="0.001">
<failure message="assert 1 == 2">def test_fails(): &lt;b&gt; ]]&gt; <![CDATA[ <failure/> ]]></failure></testcase>
<testcase classname="tests.test_form" name="test_error" time="0.001"><error message="boom"/></testcase>
<testcase classname="tests.test_form" name="test_skipped" time="0.0"><skipped type="pytest.skip"/></testcase>
<testcase classname="tests.test_form" name="test_marked" time="0.0"><properties>
<property name="criterion" value="AC-2"/></properties><system-out>failure error skipped</system-out></testcase>
</testsuite></testsuites>"""


def outcomes(text):
    return [(test.name, test.outcome) for test in parse_junit_report(text)]


def test_pytests_report():
    assert outcomes(PYTEST) == [
        ("tests.test_form::test_shows[ä]", "passed"),
        ("tests.test_form::test_fails", "failed"),
        ("tests.test_form::test_error", "failed"),
        ("tests.test_form::test_skipped", "skipped"),
        ("tests.test_form::test_marked", "passed"),
    ]
    assert parse_junit_report(PYTEST)[-1].searched_text == "tests.test_form::test_marked criterion AC-2"


def test_nested_suites_namespaces_and_other_runners():
    assert outcomes(
        '<testsuite xmlns="urn:x"><testsuite><x:testcase xmlns:x="urn:y" name="a"/></testsuite>'
        '<testcase name="b" status="notrun"/><testcase name="c" result="suppressed"/>'
        '<testcase name="d" status="run" result="completed"/><testcase name="e"><flakyFailure/></testcase>'
        '<testcase name="f"><skipped/><failure/></testcase><testcase/></testsuite>'
    ) == [
        ("a", "passed"),
        ("b", "skipped"),
        ("c", "skipped"),
        ("d", "passed"),
        ("e", "passed"),
        ("f", "failed"),
        ("", "passed"),
    ]


def test_a_failure_that_is_only_quoted_deeper_is_none():
    assert outcomes('<testsuite><testcase name="a"><system-out><failure/></system-out></testcase></testsuite>') == [
        ("a", "passed")
    ]


LAUGHS = '<!DOCTYPE lolz [<!ENTITY lol "lol">' + "".join(
    f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10)
)

HOSTILE = {
    "billion laughs": LAUGHS + "]><testsuite>&lol9;</testsuite>",
    "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]><testsuite>{"&a;" * 50_000}</testsuite>',
    "external entity": '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite>&e;</testsuite>',
    "external subset": '<!DOCTYPE testsuite SYSTEM "http://127.0.0.1:1/x.dtd"><testsuite/>',
    "public subset": '<!DOCTYPE testsuite PUBLIC "-//x" "http://127.0.0.1:1/x.dtd"><testsuite/>',
    "parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/">%p;]><testsuite/>',
    "empty doctype": "<!DOCTYPE testsuite><testsuite/>",
    "undeclared entity": "<testsuite>&nbsp;</testsuite>",
    "nested": "<testsuite>" * 10_000 + "</testsuite>" * 10_000,
    "nested, not closed": "<testsuite>" * 90_000,
    "many elements": "<testsuite>" + "<a/>" * 240_000 + "</testsuite>",
    "many tests": "<testsuite>" + "<testcase/>" * 80_000 + "</testsuite>",
    "nul": "<testsuite>\x00</testsuite>",
    "surrogate": '<testsuite name="\ud800"/>',
    "twice the attribute": '<testsuite><testcase name="a" name="b"/></testsuite>',
    "truncated": PYTEST[:500],
    "two roots": "<testsuite/><testsuite/>",
    "nothing": "",
    "xinclude only": '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_at_once(name):
    with patience(), refused(BadField):
        parse_junit_report(HOSTILE[name])


def test_the_largest_report_is_read_in_a_moment():
    cases = "".join(f'<testcase classname="tests.test_{n}" name="{"x" * 60}"/>' for n in range(9_900))
    text = f"<testsuite>{cases}</testsuite>"
    assert 900_000 < len(text) < 1_100_000
    with patience():
        assert len(parse_junit_report(text)) == 9_900


def test_a_large_attribute_is_cut():
    (test,) = parse_junit_report(f'<testsuite><testcase name="{"x" * 900_000}"/></testsuite>')
    assert len(test.name) == 300


MARKUP = ["<testsuite>", "</testsuite>", "<testcase name='a'>", "</testcase>", "<failure/>", "<a:b xmlns:a='c'>"]
DANGER = [
    "<!DOCTYPE a>",
    "<!ENTITY",
    "&amp;",
    "&x;",
    "&#0;",
    "<![CDATA[",
    "]]>",
    "<?xml version='1.1'?>",
    "<!--",
    "-->",
]
BYTES = ["<?xml version='1.0' encoding='cp037'?>", "\ufeff", "\ud800", "\x00", "<", ">", "'", '"', "ä", "\U0001f600"]
PIECES = st.sampled_from([*MARKUP, *DANGER, *BYTES])


@given(st.one_of(st.text(), st.lists(PIECES).map("".join), st.lists(PIECES).map(lambda x: f"<testsuite>{''.join(x)}")))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(BadField):
        parse_junit_report(text)


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8", categories=["L", "N"])), st.booleans()), max_size=20))
def test_what_was_written_is_read(cases):
    text = "".join(f'<testcase name="{name}">{"" if good else "<failure/>"}</testcase>' for name, good in cases)
    found = parse_junit_report(f"<testsuites><testsuite>{text}</testsuite></testsuites>")
    assert [(test.name, test.outcome == "passed") for test in found] == cases
