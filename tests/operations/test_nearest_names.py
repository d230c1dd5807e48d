"""The nearest of some names, for whoever mistyped one."""

import pytest

from pendesk.operations.nearest_names import nearest_names
from pendesk.operations.registry import TOOLS

NAMES = [tool.name for tool in TOOLS]


@pytest.mark.parametrize(
    ("sent", "nearest"),
    [
        ("claim_acton", "claim_action"),
        ("claimAction", "claim_action"),
        ("create_taks", "create_task"),
        ("list_specs", "list_available_specs"),
        ("submit", "submit_for_review"),
        ("report_test", "report_test_result"),
        ("get_brief", "get_action_brief"),
    ],
)
def test_a_mistyped_tool_is_found(sent, nearest):
    assert nearest in nearest_names(sent, NAMES)


@pytest.mark.parametrize("sent", ["", "zzz", "x" * 10_000, "\u4e2d\u6587"])
def test_what_is_like_none_of_them_finds_none(sent):
    assert nearest_names(sent, NAMES) == []


@pytest.mark.parametrize(("sent", "keys"), [("PN", ["PEN"]), ("PENN", ["PEN"]), ("pen", ["PEN"]), ("HRB", [])])
def test_a_short_key_is_found_too(sent, keys):
    assert nearest_names(sent, ["PEN", "XY"]) == keys
