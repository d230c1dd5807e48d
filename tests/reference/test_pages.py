"""The reference says what the program does: as generated, and with nothing left out."""

import re

import pytest

from pendesk.operations.registry import OPERATIONS
from tests.reference.pages import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_program_says(name):
    assert (FOLDER / name).read_text("utf-8") == PAGES[name](), "Run `make reference` and commit what it wrote."


def test_every_operation_stands_in_a_page_under_its_name():
    texts = [(FOLDER / name).read_text("utf-8") for name in ("tools.md", "rest.md")]
    anchors = {
        anchor for text in texts for pair in re.findall(r'^### (\w+)$|<a id="(\w+)">', text, re.M) for anchor in pair
    }
    assert {operation.name for operation in OPERATIONS} - anchors == set()


def test_no_page_has_two_anchors_of_one_name():
    for name in PAGES:
        anchors = re.findall(r'<a id="([^"]+)">', (FOLDER / name).read_text("utf-8"))
        assert len(anchors) == len(set(anchors)), name
