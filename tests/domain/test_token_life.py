import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DAY_US
from pendesk.domain.oauth import Grant
from pendesk.domain.token_life import expiry_capped_by_grant_end, grant_ends_at, validate_or_default_lifetime_days
from tests.refusals import refused


@pytest.mark.parametrize(
    ("wanted", "longest", "lives"),
    [(None, None, None), (90, None, 90), (None, 30, 30), (30, 30, 30), (7, 30, 7)],
)
def test_a_token_without_an_end_gets_the_longest_life_there_is(wanted, longest, lives):
    assert validate_or_default_lifetime_days(wanted, longest) == lives


def test_one_that_wants_longer_is_told_the_limit_and_what_to_do():
    with refused(BadField, "bad_field", "31", "30 days at most", "leave it out"):
        validate_or_default_lifetime_days(31, 30)


def test_a_grant_gives_nothing_beyond_its_end():
    grant = Grant("g", "u", "c", "C", "", "", 0, 0, 0, None)
    assert expiry_capped_by_grant_end(grant, 5, 10) == 15
    bounded = grant._replace(ends_at=grant_ends_at(0, 2))
    assert expiry_capped_by_grant_end(bounded, 0, DAY_US) == DAY_US
    assert expiry_capped_by_grant_end(bounded, DAY_US, 3 * DAY_US) == 2 * DAY_US
