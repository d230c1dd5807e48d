"""Every text in a tool's result has a known kind of author; those of other agents and of guests say so."""

from collections.abc import Iterator
from typing import Any

from msgspec import inspect

from pendesk.operations.registry import TOOLS
from tests.contract.authors import AGENT, NAMES, OUTSIDE, SAID_BY, SAID_BY_OUTER, SERVERS, WRITERS


def inner_types(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Without annotations, unions, lists and mappings around them."""
    if isinstance(kind, inspect.Metadata):
        yield from inner_types(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for member in kind.types:
            yield from inner_types(member)
    elif isinstance(kind, inspect.ListType):
        yield from inner_types(kind.item_type)
    elif isinstance(kind, inspect.DictType):
        yield from inner_types(kind.value_type)
    else:
        yield kind


def structures() -> dict[type, tuple[inspect.StructType, set[str]]]:
    """Every structure of a result, and the names of the fields that it stands under."""
    found: dict[type, tuple[inspect.StructType, set[str]]] = {}

    def visit(kind: inspect.Type, name: str) -> None:
        for inner in inner_types(kind):
            if not isinstance(inner, inspect.StructType):
                continue
            is_new = inner.cls not in found
            found.setdefault(inner.cls, (inner, set()))[1].add(name)
            if is_new:
                for field in inner.fields:
                    visit(field.type, field.encode_name)

    for operation in TOOLS:
        visit(inspect.type_info(operation.output), "")
    return found


STRUCTURES = structures()
BY_NAME = {cls.__name__: entry for cls, entry in STRUCTURES.items()}


def is_text(kind: Any) -> bool:
    return any(isinstance(inner, inspect.StrType | inspect.AnyType) for inner in inner_types(kind))


def text_fields() -> set[str]:
    return {
        f"{cls.__name__}.{field.encode_name}"
        for cls, (structure, _) in STRUCTURES.items()
        for field in structure.fields
        if is_text(field.type)
    }


def classed() -> dict[str, str]:
    return {field: writer for writer, fields in WRITERS.items() for field in fields.split()}


def test_no_two_structures_of_results_have_one_name():
    assert len(BY_NAME) == len(STRUCTURES)


def test_every_text_of_a_result_has_a_known_author():
    known = {field for field in text_fields() if field.partition(".")[2] in {*SERVERS.split(), *NAMES.split()}}
    assert text_fields() - known - set(classed()) == set()


def test_the_table_has_nothing_that_no_result_has():
    assert set(classed()) - text_fields() == set()
    assert set(SAID_BY) | set(SAID_BY_OUTER) <= text_fields()


def test_words_of_other_agents_and_of_guests_are_untrusted_or_say_whose_they_are():
    for field, writer in classed().items():
        structure, places = BY_NAME[field.partition(".")[0]]
        is_set_apart = places == {"untrusted"}
        if writer == OUTSIDE:
            assert is_set_apart, field
        elif writer == AGENT:
            assert is_set_apart or SAID_BY.get(field) in names_of_fields(structure) or is_said_by_outer(field), field


def names_of_fields(structure: inspect.StructType) -> set[str]:
    return {field.encode_name for field in structure.fields}


def is_said_by_outer(field: str) -> bool:
    if field not in SAID_BY_OUTER:
        return False
    outer_name, place, beside = SAID_BY_OUTER[field]
    return BY_NAME[field.partition(".")[0]][1] == {place} and {place, beside} <= names_of_fields(BY_NAME[outer_name][0])
