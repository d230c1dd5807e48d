"""Saves what hooks have reported to this process, a few times a second."""

from collections import deque

from pendesk import clock
from pendesk.domain.errors import Unavailable
from pendesk.operations.sessions import save_steps
from pendesk.transports.service import Service

# A page follows within 300 ms, of which this is the larger part.
SAVE_EVERY_S = 0.1


async def save_buffered_steps(service: Service) -> None:
    """And wakes who watches. What cannot be saved now, or not before the server stops, is put back."""
    batches = deque(service.steps.drain(clock.now_us()))
    try:
        while batches:
            batch = batches.popleft()
            if await service.dispatcher.call_as_server(save_steps.OPERATION, batch):
                service.feed.signal.on_local_activity(batch.workspace_id)
    except Unavailable:
        batches.append(batch)
        raise
    finally:
        for batch in batches:
            service.steps.put_back(batch)
