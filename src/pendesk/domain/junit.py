"""JUnit XML -> tests. Everything that makes XML dangerous is refused: document types, entities, depth, size."""

from typing import Any
from xml.parsers import expat

from pendesk.domain.errors import BadField
from pendesk.domain.limits import REPORT_DEPTH, REPORT_ELEMENTS, REPORT_TESTS, TEST_NAME_CHARS
from pendesk.domain.test_report import ReportedTest, TestOutcome, truncate_test_name

FAILED = frozenset({"failure", "error"})
NOT_RUN = frozenset({"notrun", "suppressed", "skipped", "disabled", "ignored"})


def parse_junit_report(text: str) -> list[ReportedTest]:
    reader = _Reader()
    # The text is decoded already, so what its declaration says of its encoding does not count.
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = reader.start_element
    parser.EndElementHandler = reader.end_element
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    parser.EntityDeclHandler = reader.refuse_doctype
    parser.UnparsedEntityDeclHandler = reader.refuse_doctype
    parser.ExternalEntityRefHandler = reader.refuse_doctype
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise BadField("content", f"is not well-formed XML (line {error.lineno}).") from None
    except UnicodeEncodeError:
        raise BadField("content", "has broken characters.") from None
    return reader.tests


class _Reader:
    def __init__(self) -> None:
        self.tests: list[ReportedTest] = []
        self._depth = 0
        self._elements = 0
        self._test: dict[str, str] | None = None
        self._test_depth = 0
        self._outcome: TestOutcome = "passed"
        self._property_texts: list[str] = []

    def refuse_doctype(self, *_args: Any) -> int:
        raise BadField("content", "has a document type or entities, which no test report needs; leave them out.")

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if self._elements == 0 and tag not in ("testsuites", "testsuite"):
            raise BadField("content", "is not a JUnit report: it must begin with testsuites or testsuite.")
        self._depth += 1
        self._elements += 1
        if self._depth > REPORT_DEPTH or self._elements > REPORT_ELEMENTS:
            raise BadField("content", f"is nested deeper than {REPORT_DEPTH} or has over {REPORT_ELEMENTS} elements.")
        if self._test is None:
            if tag == "testcase":
                self._on_testcase_start(attributes)
        elif tag in FAILED and self._depth == self._test_depth + 1:
            self._outcome = "failed"
        elif tag == "skipped" and self._depth == self._test_depth + 1 and self._outcome == "passed":
            self._outcome = "skipped"
        elif tag == "property":
            self._property_texts += [
                attributes.get("name", "")[:TEST_NAME_CHARS],
                attributes.get("value", "")[:TEST_NAME_CHARS],
            ]

    def end_element(self, _tag: str) -> None:
        if self._test is not None and self._depth == self._test_depth:
            self._on_testcase_end(self._test)
        self._depth -= 1

    def _on_testcase_start(self, attributes: dict[str, str]) -> None:
        if len(self.tests) >= REPORT_TESTS:
            raise BadField("content", f"has more than {REPORT_TESTS} tests; upload it in parts.")
        self._test, self._test_depth, self._property_texts = attributes, self._depth, []
        states = (attributes.get("status", ""), attributes.get("result", ""))
        self._outcome = "skipped" if any(word.lower() in NOT_RUN for word in states) else "passed"

    def _on_testcase_end(self, attributes: dict[str, str]) -> None:
        group, name = attributes.get("classname", ""), attributes.get("name", "")
        full_name = truncate_test_name(f"{group}::{name}" if group else name)
        self.tests.append(ReportedTest(full_name, " ".join([full_name, *self._property_texts]), self._outcome))
        self._test = None
