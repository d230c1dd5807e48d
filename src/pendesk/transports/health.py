"""GET /api/v1/health: can this server do its work, which is to write, on a database that is sound."""

import asyncio
import logging
import time

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import Refusal, Unavailable
from pendesk.domain.limits import DETAIL_CHARS
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.housekeeping import check_writable
from pendesk.transports.problems import json_response, refusal_response
from pendesk.transports.service import Service

log = logging.getLogger("pendesk")

DAMAGED = (
    "The database file is damaged ({}). What is read may be wrong. Stop the server, see `pendesk doctor --full`, and "
    "restore the newest backup."
)
LOOK_EVERY_S = 24 * 3600
FRESH_S = 2.0
PATIENCE_S = 3.0


class Health:
    """Checks the store by a real write. Anyone may call it, so many callers share one check."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._checking = asyncio.Lock()
        self._checked_at = -FRESH_S
        self._problem: Refusal | None = None

    async def check_database_writable(self) -> Refusal | None:
        async with self._checking:
            if time.monotonic() - self._checked_at >= FRESH_S:
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await self._dispatcher.call_as_server(check_writable.OPERATION, None)
                    self._problem = None
                except Refusal as refusal:
                    self._problem = refusal
                except TimeoutError:
                    reason = self._dispatcher.recent_store_failure_reason() or "no answer yet"
                    self._problem = Unavailable(f"The database does not answer now ({reason}). Try again shortly.")
                except Exception:
                    log.exception("the store failed its health check")
                    self._problem = Unavailable("The database does not answer as it should; the log says why.")
                self._checked_at = time.monotonic()
        return self._problem or self._damage_problem()

    def _damage_problem(self) -> Refusal | None:
        damage = self._dispatcher.known_damage()
        return Unavailable(DAMAGED.format(damage[:DETAIL_CHARS]), code="damaged") if damage else None


async def look_for_damage(service: Service) -> None:
    """At the pages only: quick enough for every start."""
    _log_damage(await service.dispatcher.look_for_damage(full=False))


async def look_for_all_damage(service: Service) -> None:
    """At all that belongs together too, which may take minutes: no read or write need ever meet what a disk flips."""
    _log_damage(await service.dispatcher.look_for_damage(full=True))


def _log_damage(damage: str) -> None:
    if damage:
        log.error("the database file is damaged: %s", damage)


async def get_health(request: Request) -> Response:
    service: Service = request.app.state.service
    problem = await request.app.state.health.check_database_writable()
    if problem is not None:
        return refusal_response(problem, service.installation.public_url)
    return json_response({"ok": True})
