"""Texts that a person edited in a proposal, as the input of the operation that saves them: the same bounds hold."""

from typing import Any, TypeVar

import msgspec

from pendesk.domain.errors import BadField
from pendesk.operations.decode_input import parse_field_and_problem
from pendesk.operations.operation import Input

I = TypeVar("I", bound=Input)  # noqa: E741 - as in operation.py


def checked_input(input_type: type[I], fields: dict[str, Any]) -> I:
    try:
        return msgspec.convert(fields, input_type)
    except msgspec.ValidationError as error:
        raise BadField(*parse_field_and_problem(str(error), input_type)) from None
