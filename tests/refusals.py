"""Saying in a test that something is refused, and how."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pendesk.domain.errors import Refusal


class Caught:
    refusal: Any = None


@contextmanager
def refused(kind: type[Refusal], code: str | None = None, *words: str) -> Iterator[Caught]:
    """The block is refused with this kind, with this code where one is given, and with these words."""
    caught = Caught()
    with pytest.raises(kind) as info:
        yield caught
    caught.refusal = info.value
    if code is not None:
        assert caught.refusal.code == code
    for word in words:
        assert word in caught.refusal.message
