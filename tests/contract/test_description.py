"""The REST routes called by their own description: whatever it allows and whatever it forbids, over a real port.

Every status, header and body must be as described, what is forbidden is refused, and nothing is a fault of ours. Writes
are undone, so that each call finds one of everything. `make fuzz` runs it long.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import schemathesis
from anyio.from_thread import start_blocking_portal
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pendesk.main import create_app
from pendesk.transports.rest.openapi import openapi_document
from tests.contract.shapes import NOUN_OF_FIELD
from tests.contract.test_bad_input import RehearsalDispatcher, furnish
from tests.desk import HandClock, TestDesk
from tests.transports.served import on_a_port, serving

THOROUGH = os.environ.get("PENDESK_FUZZ") == "thorough"
EXAMPLES = 100 if THOROUGH else 3
ALWAYS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def without_credentials(told: Any) -> Any:
    """Ours are real; those that would be made up have a matrix of their own (test_route_matrix.py)."""
    if isinstance(told, list):
        return [without_credentials(each) for each in told]
    if not isinstance(told, dict):
        return told
    return {key: without_credentials(value) for key, value in told.items() if not key.startswith("security")}


schema = schemathesis.openapi.from_dict(without_credentials(openapi_document()))
CALLS = {each.ok().definition.raw["operationId"]: each.ok() for each in schema.get_all_operations()}  # type: ignore[union-attr]
for name in ("follow_events", "import_project", "export_project"):
    del CALLS[name]  # a stream without end, and files: they have tests of their own
# Where nothing but headers can be sent, there is nothing to forbid.
STRICT = [name for name, call in CALLS.items() if call.body or call.query or call.path_parameters]
fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not THOROUGH,
    database=None,
    phases=[Phase.generate] if not THOROUGH else [Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


class Address(NamedTuple):
    url: str
    session: requests.Session
    ids: dict[str, str]


@asynccontextmanager
async def listening(data: Path) -> AsyncIterator[tuple[str, str, dict[str, str]]]:
    """A server with one of everything; its address, an owner's cookie, and the ids."""
    async with serving(data) as served:
        desk = TestDesk(served.service.dispatcher.store, HandClock())
        desk.installation, desk.dispatcher = served.service.installation, served.service.dispatcher
        owner, ids = await furnish(desk, "Homely")
        link = await desk.call(owner, "create_sign_in_link")
        signed_in = await served.http.post("/sign-in", data={"code": link["url"].partition("code=")[2]})
        dispatcher = RehearsalDispatcher(served.service.dispatcher)
        async with on_a_port(create_app(served.service._replace(dispatcher=dispatcher))) as url:
            yield f"{url}/api/v1", signed_in.cookies["pendesk_session"], ids


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(listening(tmp_path_factory.mktemp("fuzz") / "data")) as (url, cookie, ids),
        requests.Session() as session,
    ):
        session.cookies["pendesk_session"] = cookie
        yield Address(url, session, {field: ids[noun] for field, noun in NOUN_OF_FIELD.items() if noun})


@pytest.mark.parametrize("name", CALLS)
def test_what_the_description_allows_is_answered_as_it_says(address, name):
    known = {each.name: address.ids[each.name] for each in CALLS[name].path_parameters}

    @fuzzed
    @given(CALLS[name].as_strategy(path_parameters=known))
    def run(case: Any) -> None:
        answer = case.call(base_url=address.url, session=address.session)
        case.validate_response(answer, checks=ALWAYS)

    run()


@pytest.mark.parametrize("name", STRICT)
def test_what_the_description_forbids_is_refused(address, name):
    @fuzzed
    @given(CALLS[name].as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    def run(case: Any) -> None:
        answer = case.call(base_url=address.url, session=address.session)
        too_large = answer.status_code == 413
        case.validate_response(answer, checks=[*ALWAYS, *([] if too_large else [negative_data_rejection])])

    run()
