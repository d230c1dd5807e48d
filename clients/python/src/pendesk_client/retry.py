"""Whether a request is sent again after an error, and after how long."""

import random
from typing import Any, NamedTuple

from pendesk_client.errors import PendeskError
from pendesk_client.request import Request

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 60.0


class RetryPolicy(NamedTuple):
    retries: int
    longest_delay_s: float = LONGEST_DELAY_S

    def delay_s(
        self, request: Request[Any], attempt: int, error: PendeskError, retry_after: str | None
    ) -> float | None:
        """How long to wait before the next attempt; None where there must be none."""
        if attempt >= self.retries or not _is_retryable(request, error):
            return None
        if retry_after and retry_after.isdecimal():
            delay_s = float(retry_after)
        else:
            # Spread, so that many clients that failed together do not come back together.
            delay_s = FIRST_DELAY_S * 2**attempt * random.uniform(0.5, 1.5)  # noqa: S311
        return delay_s if delay_s <= self.longest_delay_s else None


def _is_retryable(request: Request[Any], error: PendeskError) -> bool:
    """Whether the same request may succeed later, and cannot be carried out twice."""
    if error.status == 429 or (error.status == 503 and error.code == "unavailable"):
        return True  # refused before anything was written
    return error.status in (0, 500, 502, 503, 504) and request.is_idempotent
