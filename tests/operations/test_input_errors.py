"""Every fault of an input is found, in the same words and at the same place as msgspec finds the first."""

from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from pendesk.domain.limits import FAULTS_SHOWN
from pendesk.operations.decode_input import parse_field_and_problem
from pendesk.operations.input_errors import list_validation_errors


class Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    key: Annotated[str, Meta(min_length=1, max_length=3)]
    number: Annotated[int, Meta(ge=0)] | None = None
    hue: Annotated[Literal["red", "blue"], Meta(description="Its colour.")] | None = None
    inner: "list[Part]" = []


class Whole(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    name: str
    parts: Annotated[list[Part], Meta(max_length=3)] = []
    one: Part | None = None


def test_a_good_input_has_none():
    good = {"name": "x", "parts": [{"key": "a", "inner": [{"key": "b"}]}], "one": None}
    assert list_validation_errors(Whole, good) == []


def test_all_are_found_each_at_its_place():
    bad = {
        "colour": 1,
        "parts": [{"key": ""}, {"key": "a", "number": -1, "inner": [{"size": 2}]}, 7],
        "one": {"key": 5},
    }
    assert list_validation_errors(Whole, bad) == [
        "Object missing required field `name`",
        "Expected `str` of length >= 1 - at `$.parts[0].key`",
        "Expected `int` >= 0 - at `$.parts[1].number`",
        "Object missing required field `key` - at `$.parts[1].inner[0]`",
        "Object contains unknown field `size` - at `$.parts[1].inner[0]`",
        "Expected `object`, got `int` - at `$.parts[2]`",
        "Expected `str`, got `int` - at `$.one.key`",
        "Object contains unknown field `colour`",
    ]


@pytest.mark.parametrize(
    ("parts", "field", "problem"),
    [
        ([{"key": "a", "hue": "green"}], "parts[0].hue", "'green' is not one of: red, blue."),
        ([{"key": "a", "inner": [{"key": "b", "hue": ""}]}], "parts[0].inner[0].hue", "'' is not one of: red, blue."),
        ([{"key": ""}], "parts[0].key", "must not be empty."),
        ([{"key": "long"}], "parts[0].key", "is too long: at most 3 characters."),
        ([{"key": "a"}] * 4, "parts", "is too long: at most 3 entries."),
    ],
)
def test_a_fault_tells_what_would_be_right(parts, field, problem):
    (complaint,) = list_validation_errors(Whole, {"name": "x", "parts": parts})
    assert parse_field_and_problem(complaint, Whole) == (field, problem)


def test_a_list_that_is_too_long_is_one_fault():
    assert list_validation_errors(Whole, {"name": "x", "parts": [7] * 4}) == [
        "Expected `array` of length <= 3 - at `$.parts`",
    ]


def test_no_more_than_can_be_told():
    assert len(list_validation_errors(Whole, {str(number): number for number in range(10_000)})) == FAULTS_SHOWN


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "abcd"]),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "parts", "one", "key", "number", "inner", "x"]), inside, max_size=4)
    ),
    max_leaves=12,
)


@given(ANYTHING)
def test_it_finds_some_where_msgspec_finds_one_and_none_where_it_finds_none(value):
    faults = list_validation_errors(Whole, value)
    raw = msgspec.json.encode(value)
    if not faults:
        msgspec.json.decode(raw, type=Whole)
        return
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(raw, type=Whole)
    # msgspec learns how long a list is at its end, and has complained of an item by then.
    assert str(caught.value) in faults or "of length <= 3 - at `$.parts`" in str(faults)
