"""The table of routes against the operations that there are."""

import re
from enum import Enum
from typing import Literal, get_args, get_origin

import msgspec

from pendesk.operations.input_errors import unwrapped_type_and_max_length
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.rest.routes import NOT_ROUTED, TABLE

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def names(path: str) -> list[str]:
    return re.findall(r"{(\w+)", path)


def test_every_operation_has_a_route_or_a_reason():
    routed = {row.operation for row in TABLE}
    assert routed | set(NOT_ROUTED) == set(BY_NAME), "add it to the table, or say why it has no route"
    assert not routed & set(NOT_ROUTED)
    assert len(routed) == len(TABLE), "an operation has one address"


def test_a_path_names_fields_of_its_operation():
    for row in TABLE:
        fields = {field.encode_name for field in msgspec.structs.fields(BY_NAME[row.operation].input)}
        assert set(names(row.path)) <= fields, row


def test_a_made_thing_has_an_address_out_of_the_answer():
    for row in TABLE:
        assert bool(row.location) is (row.status == 201), row
        fields = {field.encode_name for field in msgspec.structs.fields(BY_NAME[row.operation].output)}
        assert set(names(row.location)) <= fields, row


def test_a_method_and_path_stand_once_and_deletes_answer_204():
    assert len({row[:2] for row in TABLE}) == len(TABLE)
    assert all((row.status == 204) is (row.method == "DELETE") for row in TABLE)


def test_no_two_paths_mean_the_same_addresses():
    """Neither routing nor an OpenAPI description tells them apart by the name in the braces."""
    shapes = {re.sub(r"{\w+}", "{}", row.path) for row in TABLE}
    assert len(shapes) == len({row.path for row in TABLE})


def test_what_stands_in_a_query_is_one_value_or_several_texts():
    """An object has no one way of being written there: such an operation takes a body."""
    by_body = {"content", "receipt", "mapping"}
    for row in TABLE:
        if row.method in ("GET", "DELETE") or row.body != "json":
            fields = msgspec.structs.fields(BY_NAME[row.operation].input)
            kinds = [unwrapped_type_and_max_length(field.type)[0] for field in fields if field.name not in by_body]
            for kind in kinds:
                texts = get_origin(kind) is list and unwrapped_type_and_max_length(get_args(kind)[0])[0] is str
                words = get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum))
                assert kind in (str, int, float, bool) or words or texts, row
