"""The Python client: `from pendesk.client import Pendesk` (or AsyncPendesk). See docs/client.md."""

from pendesk.client.async_pendesk import AsyncPendesk
from pendesk.client.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    PendeskError,
    RateLimited,
    ServerFault,
    TooLarge,
    Unauthenticated,
    Unreachable,
)
from pendesk.client.sync_pendesk import Pendesk

__all__ = [
    "AsyncPendesk",
    "Conflict",
    "Forbidden",
    "Invalid",
    "NotFound",
    "Pendesk",
    "PendeskError",
    "RateLimited",
    "ServerFault",
    "TooLarge",
    "Unauthenticated",
    "Unreachable",
]
