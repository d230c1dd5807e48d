"""One reading of texts for queries, forms and commands."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input
from pendesk.operations.text_input import add_arguments_from_text
from tests.refusals import refused


class Example(Input):
    count: Annotated[int, Meta(ge=1)] | None = None
    share: float = 0.0
    open: bool = False
    label: str = ""
    state: Literal["1", "2"] = "1"
    numbers: Annotated[list[int], Meta(max_length=3)] | None = None
    words: list[str] = []


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("count", "3", 3),
        ("count", "many", "many"),
        ("count", "", ""),
        ("share", "1.5", 1.5),
        ("open", "true", True),
        ("open", "perhaps", "perhaps"),
        ("label", "12", "12"),
        ("state", "1", "1"),
        ("numbers", "7", [7]),
        ("words", "7", ["7"]),
        ("unknown", "7", "7"),
    ],
)
def test_a_text_becomes_what_the_field_is_or_stays_a_text(name, text, value):
    assert add_arguments_from_text(Example, {}, [(name, text)]) == {name: value}


def test_only_a_list_may_come_twice():
    assert add_arguments_from_text(Example, {}, [("words", "a"), ("words", "b")]) == {"words": ["a", "b"]}
    with refused(BadField, None, "is given twice"):
        add_arguments_from_text(Example, {}, [("label", "a"), ("label", "b")])
    with refused(BadField, None, "is given twice"):
        add_arguments_from_text(Example, {"label": "from the path"}, [("label", "b")])
