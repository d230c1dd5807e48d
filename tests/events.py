"""Reading the log in a test."""

from typing import Any

from pendesk.domain.access import Actor
from tests.desk import TestDesk


async def events_of(desk: TestDesk, actor: Actor, kind: str) -> list[dict[str, Any]]:
    """The events of one kind, oldest first."""
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = await desk.call(actor, "list_events", after=after)
        found += [event for event in page["events"] if event["kind"] == kind]
        after = page.get("nextCursor")
    return found
