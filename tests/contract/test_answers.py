"""The examples of answers in the description are what the routes answer."""

import msgspec
import pytest

from pendesk.operations.registry import OPERATIONS
from pendesk.transports.rest.examples import example_response_by_operation
from pendesk.transports.rest.openapi import openapi_document
from pendesk.transports.rest.routes import TABLE
from tests.answers import UNTOLD, tell

BY_NAME = {operation.name: operation for operation in OPERATIONS}
WITH_AN_ANSWER = [row for row in TABLE if row.status != 204]


async def test_a_real_run_gives_them(tmp_path):
    assert await tell(tmp_path) == example_response_by_operation(), "an answer has changed: run `make answers`"


def test_whatever_needs_no_other_server_has_one():
    missing = {row.operation for row in WITH_AN_ANSWER} - {*example_response_by_operation(), *UNTOLD}
    assert not missing, "run `make answers`; what it cannot call by itself the story in tests/answers.py calls"


@pytest.mark.parametrize(
    "row",
    [row for row in WITH_AN_ANSWER if row.operation in example_response_by_operation()],
    ids=lambda r: r.operation,
)
def test_each_stands_in_the_description_and_is_a_good_answer(row):
    told = openapi_document()["paths"][row.path][row.method.lower()]["responses"][str(row.status)]
    msgspec.convert(told["content"]["application/json"]["example"], BY_NAME[row.operation].output)
