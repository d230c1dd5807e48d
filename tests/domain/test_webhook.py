import pytest

from pendesk.domain.limits import DAY_US, HOUR_US, WEBHOOK_REFUSALS
from pendesk.domain.webhook import (
    DeliveryOutcome,
    OutgoingWebhook,
    derive_webhook_secret,
    retry_delay_us,
    signature_header,
    webhook_after_failed_delivery,
    webhook_after_successful_delivery,
)

SECOND = 1_000_000
HOOK = OutgoingWebhook("w", "https://e.com", "json", "[]", None, 1, "active", 4, 0, None, 0, "", 0, 0, "u", "u", 0)
DOWN = DeliveryOutcome(None, "unreachable")


def test_a_secret_belongs_to_one_webhook_of_one_workspace_in_one_generation():
    of = {
        derive_webhook_secret(key, *rest)
        for key in (b"k", b"l")
        for rest in (("a", "b", 1), ("a", "b", 2), ("b", "a", 1))
    }
    assert len(of) == 6


def test_a_signature_covers_the_time_and_every_byte():
    told = {signature_header(secret, at, body) for secret in "ab" for at in (1, 2) for body in (b"x", b"y")}
    assert len(told) == 8
    # The time and the body are kept apart: neither can be moved into the other.
    assert signature_header("a", 1, b"2.x") != signature_header("a", 12, b".x")


def test_it_waits_twice_as_long_each_time_up_to_an_hour():
    assert [retry_delay_us(attempts, 0) // SECOND for attempts in (1, 2, 3, 4)] == [5, 10, 20, 40]
    assert retry_delay_us(1000, 0) == HOUR_US
    assert retry_delay_us(1, 1) == retry_delay_us(1, 0) // 2


@pytest.mark.parametrize(
    ("status", "good", "refused"),
    [(200, True, False), (204, True, False), (302, False, False), (400, False, True), (401, False, True)]
    + [(status, False, False) for status in (199, 408, 425, 429, 500, 503, None)],
)
def test_what_a_status_means(status, good, refused):
    assert (DeliveryOutcome(status).is_success, DeliveryOutcome(status).is_permanent_rejection) == (good, refused)


def test_a_success_moves_on_and_forgets_the_failures():
    failed = webhook_after_failed_delivery(HOOK, 10, 5, DOWN, 0)
    after = webhook_after_successful_delivery(failed, 20, 5)
    assert (after.cursor, after.attempts, after.failing_since, after.next_at) == (5, 0, None, 20)


def test_a_failure_stays_where_it_is_and_counts_from_the_first():
    once = webhook_after_failed_delivery(HOOK, 10, 5, DOWN, 0)
    twice = webhook_after_failed_delivery(once, 10 + 5 * SECOND, 5, DOWN, 0)
    assert (twice.cursor, twice.attempts, twice.failing_since, twice.state) == (4, 2, 10, "active")
    assert twice.next_at == 10 + 15 * SECOND


def test_after_a_day_it_is_failing():
    failed = HOOK._replace(attempts=30, failing_since=10)
    assert webhook_after_failed_delivery(failed, 10 + DAY_US - 1, 5, DOWN, 0).state == "active"
    assert webhook_after_failed_delivery(failed, 10 + DAY_US, 5, DOWN, 0).state == "failing"
    assert webhook_after_failed_delivery(HOOK, 10, 5, DeliveryOutcome(410), 0).state == "failing"


def test_what_is_refused_is_passed_over_after_a_few_times_and_still_counts_as_a_failure():
    hook = HOOK
    for _ in range(WEBHOOK_REFUSALS):
        assert hook.cursor == 4
        hook = webhook_after_failed_delivery(hook, 10, 5, DeliveryOutcome(422), 0)
    assert (hook.cursor, hook.attempts, hook.failing_since) == (5, 0, 10)
