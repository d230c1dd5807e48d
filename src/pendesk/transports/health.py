"""GET /api/v1/health: can this server do its work, which is to write."""

import asyncio
import logging
import time

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import Refusal, Unavailable
from pendesk.operations.dispatch import Store
from pendesk.store import installation
from pendesk.transports.problems import json_response, refusal_response
from pendesk.transports.service import Service

log = logging.getLogger("pendesk")

FRESH_S = 2.0
PATIENCE_S = 3.0


class Health:
    """Asks the store by a real write. Anyone may ask us, so many questions share one answer."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking = asyncio.Lock()
        self._asked_at = -FRESH_S
        self._problem: Refusal | None = None

    async def problem(self) -> Refusal | None:
        async with self._asking:
            if time.monotonic() - self._asked_at >= FRESH_S:
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await self._store.write("", installation.check_writable)
                    self._problem = None
                except Refusal as refusal:
                    self._problem = refusal
                except TimeoutError:
                    why = self._store.failure() or "no answer yet"
                    self._problem = Unavailable(f"The database does not answer now ({why}). Try again shortly.")
                except Exception:
                    log.exception("the store failed its health check")
                    self._problem = Unavailable("The database does not answer as it should; the log says why.")
                self._asked_at = time.monotonic()
        return self._problem


async def get_health(request: Request) -> Response:
    service: Service = request.app.state.service
    problem = await request.app.state.health.problem()
    if problem is not None:
        return refusal_response(problem, service.installation.public_url)
    return json_response({"ok": True})
