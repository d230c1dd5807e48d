"""Holding a whole installation, its data folder and its database: with others, or alone."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from pendesk.settings import Place
from pendesk.store.engine import folder_lock
from pendesk.store.engine.folder_lock import InUse, Process
from pendesk.store.engine.migrate import Migration, migrate, pending

# Commands that are just ending, and the connections of a server that was killed.
ALONE_WAIT_S = 2.0
# Of several processes that start together with an older database one migrates; the others then find it done.
MIGRATION_WAIT_S = 10.0
MIGRATION_LOOK_S = 1.0


class InstallationHold(NamedTuple):
    """`connected` is to be called once the store is; `applied` are the migrations that were pending."""

    connected: Callable[[], None]
    applied: list[Migration]


@contextmanager
def hold_shared(place: Place, process: Process) -> Iterator[InstallationHold]:
    """With others, at this program's version."""
    applied: list[Migration] = []
    deadline = time.monotonic() + MIGRATION_WAIT_S
    while True:
        # The look is under the lock as well: it would put an empty file where a restore moves one to.
        with folder_lock.shared(place.folder, process), _starting(place.url) as connected:
            if not pending(place.file, place.url):
                yield InstallationHold(connected, applied)
                return
        try:
            with hold_exclusively(place, process, MIGRATION_LOOK_S):
                applied += migrate(place.file, place.url)
        except InUse as refusal:
            if time.monotonic() >= deadline:
                raise InUse(f"The database must be migrated for pendesk {process.version}. {refusal}") from None


@contextmanager
def hold_exclusively(place: Place, process: Process, wait_s: float = ALONE_WAIT_S) -> Iterator[bool]:
    """False where the folder has no locks."""
    with folder_lock.alone(place.folder, process, wait_s) as locked, _nobody_else(place.url, wait_s):
        yield locked


def _starting(url: str | None) -> AbstractContextManager[Callable[[], None]]:
    if url is None:
        return nullcontext(lambda: None)
    from pendesk.store.engine import postgres_presence

    return postgres_presence.starting(url)


def _nobody_else(url: str | None, wait_s: float) -> AbstractContextManager[None]:
    if url is None:
        return nullcontext()
    from pendesk.store.engine import postgres_presence

    return postgres_presence.alone(url, wait_s)
