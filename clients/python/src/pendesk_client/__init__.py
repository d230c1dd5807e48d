"""The Python client: `from pendesk_client import Pendesk` (or AsyncPendesk). The guide is docs/client.md."""

from pendesk_client.async_client import AsyncPendesk
from pendesk_client.errors import (
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
from pendesk_client.sync_client import Pendesk
from pendesk_client.version import __version__

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
    "__version__",
]
