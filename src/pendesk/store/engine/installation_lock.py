"""Holding a whole installation, its data folder and its database: with others, or alone."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from pendesk.settings import DataLocation
from pendesk.store.engine import folder_lock
from pendesk.store.engine.folder_lock import InUse, ProcessInfo
from pendesk.store.engine.migrate import Migration, migrate, pending_migrations

# Commands that are just ending, and the connections of a server that was killed.
ALONE_WAIT_S = 2.0
# Of several processes that start together with an older database one migrates; the others then find it done.
MIGRATION_WAIT_S = 10.0
MIGRATION_LOOK_S = 1.0


class InstallationHold(NamedTuple):
    """`mark_connected` is to be called once the store is; `applied_migrations` are the migrations that were pending."""

    mark_connected: Callable[[], None]
    applied_migrations: list[Migration]


@contextmanager
def migrate_and_hold_shared_lock(location: DataLocation, process: ProcessInfo) -> Iterator[InstallationHold]:
    """With others, at this program's version."""
    applied: list[Migration] = []
    deadline = time.monotonic() + MIGRATION_WAIT_S
    while True:
        # The look is under the lock as well: it would put an empty file where a restore moves one to.
        with (
            folder_lock.hold_shared_lock(location.folder, process),
            _hold_releasable_startup_lock(location.url) as connected,
        ):
            if not pending_migrations(location.file, location.url):
                yield InstallationHold(connected, applied)
                return
        try:
            with hold_exclusive_lock_if_supported(location, process, MIGRATION_LOOK_S):
                applied += migrate(location.file, location.url)
        except InUse as refusal:
            if time.monotonic() >= deadline:
                raise InUse(f"The database must be migrated for pendesk {process.version}. {refusal}") from None


@contextmanager
def hold_exclusive_lock_if_supported(
    location: DataLocation, process: ProcessInfo, wait_s: float = ALONE_WAIT_S
) -> Iterator[bool]:
    """False where the folder has no locks."""
    with (
        folder_lock.hold_exclusive_lock_if_supported(location.folder, process, wait_s) as locked,
        _postgres_exclusive_lock(location.url, wait_s),
    ):
        yield locked


def _hold_releasable_startup_lock(postgres_url: str | None) -> AbstractContextManager[Callable[[], None]]:
    if postgres_url is None:
        return nullcontext(lambda: None)
    from pendesk.store.engine import postgres_presence

    return postgres_presence.hold_releasable_startup_lock(postgres_url)


def _postgres_exclusive_lock(url: str | None, wait_s: float) -> AbstractContextManager[None]:
    if url is None:
        return nullcontext()
    from pendesk.store.engine import postgres_presence

    return postgres_presence.hold_exclusive_database_lock(url, wait_s)
