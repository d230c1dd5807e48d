"""How long tokens and grants live, where the installation bounds it. What was given before stays as it was given."""

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DAY_US
from pendesk.domain.oauth import Grant


def validate_or_default_lifetime_days(requested_days: int | None, max_days: int | None) -> int | None:
    """None is for ever, which a bound turns into the longest there is."""
    if requested_days is None or max_days is None:
        return requested_days or max_days
    if requested_days > max_days:
        raise BadField(
            "expires_in_days",
            f"is {requested_days}; tokens of this server live for {max_days} days at most. Choose {max_days} or fewer, "
            "or leave it out to get the longest.",
        )
    return requested_days


def grant_ends_at(consented_at: int, max_days: int | None) -> int | None:
    """From the consent on, so that renewing it does not walk around the bound."""
    return None if max_days is None else consented_at + max_days * DAY_US


def expiry_capped_by_grant_end(grant: Grant, now: int, lifetime_us: int) -> int:
    """When something that a grant gives now expires."""
    return now + lifetime_us if grant.ends_at is None else min(now + lifetime_us, grant.ends_at)
