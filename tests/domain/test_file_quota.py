import pytest

from pendesk.domain.errors import RuleBroken
from pendesk.domain.file_quota import FileUse, check_room_for_file
from pendesk.domain.limits import Limits

LIMITS = Limits(workspace_file_bytes=100, account_file_bytes=10)


@pytest.mark.parametrize(("use", "size", "by_token"), [((0, 0), 10, True), ((90, 0), 10, True), ((0, 10), 90, False)])
def test_what_fits_is_taken(use, size, by_token):
    check_room_for_file(FileUse(*use), size, LIMITS, by_token=by_token)


@pytest.mark.parametrize(
    ("use", "size", "by_token", "setting"),
    [
        ((91, 0), 10, True, "workspace_file_bytes"),
        ((0, 0), 101, False, "workspace_file_bytes"),
        ((0, 1), 10, True, "account_file_bytes"),
        ((50, 10), 1, True, "account_file_bytes"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_setting_named(use, size, by_token, setting):
    with pytest.raises(RuleBroken, match=setting) as caught:
        check_room_for_file(FileUse(*use), size, LIMITS, by_token=by_token)
    assert (caught.value.code, caught.value.details["setting"]) == ("file_quota", setting)
