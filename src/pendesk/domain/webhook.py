"""Webhooks that go out: their secret and signature, and what follows from a delivery that failed."""

import hashlib
import hmac
from typing import Literal, NamedTuple

from pendesk.domain.limits import DAY_US, HOUR_US, WEBHOOK_REFUSALS
from pendesk.domain.signature import sign

WebhookFormat = Literal["json", "slack"]

FIRST_WAIT_US = 5 * 1_000_000
LONGEST_WAIT_US = HOUR_US
FAILING_AFTER_US = DAY_US
GONE = 410
# The receiver is there and did not take it, yet may take the same later.
NOT_YET = (408, 425, 429)


class OutgoingWebhook(NamedTuple):
    """`kinds` is JSON text. What is dealt with, tried and leased: see the schema."""

    id: str
    url: str
    format: str
    kinds: str
    project_id: str | None
    generation: int
    state: str
    cursor: int
    attempts: int
    failing_since: int | None
    next_at: int
    leased_by: str
    leased_until: int
    last_number: int
    created_by: str
    owner_id: str
    created_at: int


class WebhookDelivery(NamedTuple):
    webhook_id: str
    number: int
    delivery_id: str
    seq: int | None
    kind: str
    state: str
    attempts: int
    status: int | None
    error: str
    made_at: int
    tried_at: int | None


class DeliveryOutcome(NamedTuple):
    """The receiver's status, or why there was none."""

    status: int | None
    error: str = ""

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_permanent_rejection(self) -> bool:
        """It answered that it does not want this one."""
        return self.status is not None and 400 <= self.status < 500 and self.status not in NOT_YET


def derive_webhook_secret(key: bytes, workspace_id: str, webhook_id: str, generation: int) -> str:
    """Derived, so that it is stored nowhere; another generation is another secret."""
    return "whsec_" + sign(key, "outgoing webhook", workspace_id, webhook_id, str(generation))


def signature_header(secret: str, timestamp_s: int, body: bytes) -> str:
    """The time is signed too, so that a receiver can refuse what was recorded and is sent again later."""
    digest = hmac.new(secret.encode(), b"%d." % timestamp_s + body, hashlib.sha256).hexdigest()
    return f"t={timestamp_s},v1={digest}"


def retry_delay_us(attempts: int, jitter: float) -> int:
    """After the first failure 5 seconds, then twice as long each time, up to an hour.

    `jitter`, from 0 to 1, takes up to half of it off: receivers that failed together are not tried again together.
    """
    longest = min(FIRST_WAIT_US * 2 ** min(attempts - 1, 20), LONGEST_WAIT_US)
    return int(longest * (1 - jitter / 2))


def webhook_after_successful_delivery(hook: OutgoingWebhook, now: int, event_seq: int) -> OutgoingWebhook:
    return hook._replace(cursor=max(hook.cursor, event_seq), attempts=0, failing_since=None, next_at=now)


def webhook_after_failed_delivery(
    hook: OutgoingWebhook, now: int, event_seq: int, outcome: DeliveryOutcome, jitter: float
) -> OutgoingWebhook:
    """Tried again later, and for a day; what the receiver refuses by itself is passed over after a few times."""
    since = hook.failing_since if hook.failing_since is not None else now
    attempts = hook.attempts + 1
    failed = hook._replace(attempts=attempts, failing_since=since, next_at=now + retry_delay_us(attempts, jitter))
    if outcome.status == GONE or now - since >= FAILING_AFTER_US:
        return failed._replace(state="failing")
    if outcome.is_permanent_rejection and attempts >= WEBHOOK_REFUSALS:
        return failed._replace(cursor=event_seq, attempts=0)
    return failed
