"""The description of the routes. That it is true to the code is shown by test_description.py, which calls by it."""

import re

import msgspec
import pytest

from pendesk.main import ROUTES
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.live.endpoint import PATH as EVENTS
from pendesk.transports.rest.examples import BODIES, PARAMETERS
from pendesk.transports.rest.openapi import openapi_document
from pendesk.transports.rest.routes import BASE, TABLE
from pendesk.transports.rest.special_routes import SPECIAL_ROUTES

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        names = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return names.union(*(references(part) for part in value.values()))
    return set().union(*(references(part) for part in value)) if isinstance(value, list) else set()


async def test_it_is_public_and_the_root_says_where_it_is(served):
    index = (await served.http.get("/api/v1")).json()
    body = (await served.http.get(index["openapi"])).json()
    assert (body["openapi"], body["servers"]) == ("3.1.0", [{"url": "/api/v1"}])
    assert body == msgspec.to_builtins(openapi_document())


def test_every_route_is_described_under_the_name_of_its_operation():
    described = {
        (method.upper(), path): operation["operationId"]
        for path, methods in openapi_document()["paths"].items()
        for method, operation in methods.items()
    }
    others = {(method.upper(), path) for path, methods in SPECIAL_ROUTES.items() for method in methods}
    assert {route: name for route, name in described.items() if route not in others} == {
        row[:2]: row.operation for row in TABLE
    }
    assert len(set(described.values())) == len(described)


def test_every_address_below_the_root_is_described():
    served = {route.path.removeprefix(BASE) for route in ROUTES if route.path.startswith(f"{BASE}/")}
    assert {*served, EVENTS.removeprefix(BASE)} == {*openapi_document()["paths"], "/openapi.json"}


def test_every_reference_leads_somewhere():
    known = {f"#/components/schemas/{name}" for name in openapi_document()["components"]["schemas"]}
    assert references(openapi_document()) <= known
    assert not any("pendesk" in name for name in known)


def test_what_an_operation_says_of_409_stands_among_its_answers():
    described = {
        call["operationId"]: set(call["responses"])
        for path in openapi_document()["paths"].values()
        for method, call in path.items()
        if method != "parameters"
    }
    saying = {row.operation for row in TABLE if re.search(r"Refused[^.]*409", BY_NAME[row.operation].description)}
    assert "decide_proposal" in saying
    assert {name for name in saying if "409" not in described[name]} == set()


@pytest.mark.parametrize("row", [row for row in TABLE if row.operation in BODIES], ids=lambda row: row.operation)
def test_every_example_is_a_good_input(row):
    operation = BY_NAME[row.operation]
    fields = [field.encode_name for field in msgspec.structs.fields(operation.input)]
    by_path = {name: PARAMETERS.get(name, "x") for name in fields if f"{{{name}}}" in row.path}
    msgspec.convert({**by_path, **BODIES[row.operation]}, operation.input)


def speaks_for_itself(field: dict[str, object]) -> bool:
    """A plain value: every reader of a description makes up a good one."""
    return not {"pattern", "items", "properties", "$ref"} & set(field)


def test_every_body_that_does_not_speak_for_itself_has_an_example():
    for methods in openapi_document()["paths"].values():
        for route in methods.values():
            content = route.get("requestBody", {}).get("content", {}).get("application/json")
            if content and "example" not in content:
                fields = content["schema"]["properties"]
                assert all(speaks_for_itself(fields[name]) for name in content["schema"]["required"]), route[
                    "operationId"
                ]
    assert set(BODIES) <= {row.operation for row in TABLE}
