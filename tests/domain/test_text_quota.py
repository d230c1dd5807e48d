import pytest

from pendesk.domain.limits import DAY_US, Limits
from pendesk.domain.text_quota import NEVER_REFUSED, TextUse, day_of, refusal_of_text
from pendesk.operations.registry import OPERATIONS

LIMITS = Limits(workspace_text_bytes=30_000_000, account_text_bytes_per_day=2_000_000)
TODAY = day_of(20_000 * DAY_US + 5)


def refusal(workspace_bytes, account_bytes, *, by_token=True):
    return refusal_of_text(TextUse(workspace_bytes, account_bytes), LIMITS, TODAY, by_token=by_token)


@pytest.mark.parametrize(
    ("workspace_bytes", "account_bytes", "by_token"),
    [(0, 0, True), (29_999_999, 1_999_999, True), (0, 2_000_000, False)],
)
def test_there_is_room_below_the_quota_and_people_have_no_quota_of_the_day(workspace_bytes, account_bytes, by_token):
    assert refusal(workspace_bytes, account_bytes, by_token=by_token) is None


@pytest.mark.parametrize("by_token", [True, False])
def test_a_full_workspace_refuses_everybody_and_says_who_can_help(by_token):
    refused = refusal(30_000_000, 0, by_token=by_token)
    assert refused.message == (
        "30 MB of long texts were written into this workspace, and it may have no more. Submit or release what you "
        "hold, and ask whoever runs the server to raise workspace_text_bytes."
    )
    assert refused.details == {"used": 30_000_000, "limit": 30_000_000, "setting": "workspace_text_bytes"}


def test_a_full_day_says_when_writing_goes_on():
    refused = refusal(0, 2_000_000)
    assert refused.code == "text_quota"
    assert refused.details["againAt"] == "2024-10-05T00:00:00.000Z"
    assert "Writing goes on at 2024-10-05T00:00:00.000Z" in refused.message


def test_what_is_never_refused_are_operations():
    assert {operation.name for operation in OPERATIONS} >= NEVER_REFUSED
