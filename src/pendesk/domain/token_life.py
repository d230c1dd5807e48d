"""How long tokens and grants live, where the installation bounds it. What was given before stays as it was given."""

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DAY_US
from pendesk.domain.oauth import Grant


def days_to_live(requested: int | None, longest: int | None) -> int | None:
    """None is for ever, which a bound turns into the longest there is."""
    if requested is None or longest is None:
        return requested or longest
    if requested > longest:
        raise BadField(
            "expires_in_days",
            f"is {requested}; tokens of this server live for {longest} days at most. Choose {longest} or fewer, or "
            "leave it out to get the longest.",
        )
    return requested


def end_of_grant(consented_at: int, longest: int | None) -> int | None:
    """From the consent on, so that renewing it does not walk around the bound."""
    return None if longest is None else consented_at + longest * DAY_US


def until(grant: Grant, now: int, life_us: int) -> int:
    """When something that a grant gives now expires."""
    return now + life_us if grant.ends_at is None else min(now + life_us, grant.ends_at)
