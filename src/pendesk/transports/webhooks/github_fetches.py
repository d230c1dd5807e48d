"""Reads from GitHub what is due, for a few submissions at once, and never in a transaction."""

import asyncio
import logging

from pendesk.domain.github_api import DueFetch
from pendesk.domain.limits import GITHUB_FETCHES_AT_ONCE
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.github import finish_fetch, list_due_fetches, start_fetch
from pendesk.operations.github.api import FetchFailed
from pendesk.operations.github.fetch import fetch_submission
from pendesk.operations.github.finish_fetch import FinishFetch

log = logging.getLogger("pendesk.github")

POLL_EVERY_S = 2.0


async def fetch_due(dispatcher: Dispatcher) -> int:
    """How many were read, or at least tried."""
    due = await dispatcher.call_as_server(list_due_fetches.OPERATION, GITHUB_FETCHES_AT_ONCE)
    done = await asyncio.gather(*(_fetch(dispatcher, entry) for entry in due))
    return sum(done)


async def _fetch(dispatcher: Dispatcher, due: DueFetch) -> bool:
    try:
        started = await dispatcher.call_as_server(start_fetch.OPERATION, due)
        if started is None:
            return False
        try:
            finished = FinishFetch(started, await fetch_submission(dispatcher.outbound, started.plan))
        except FetchFailed as failed:
            finished = FinishFetch(started, failed.problem)
        await dispatcher.call_as_server(finish_fetch.OPERATION, finished)
    except Exception:
        # Its lease lapses, and then it is tried again.
        log.exception("could not read a submission from GitHub")
        return False
    return True
