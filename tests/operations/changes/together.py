"""Two writes that are inside of their transactions at the same time.

SQLite has one writer: there both are in one transaction, each in a savepoint of its own, one after the other.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pendesk.operations.operation import Kind
from tests.patience import PATIENCE_S

# Live, unlike pg_stat_activity, which a transaction reads once.
WAIT_FOR_US = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"


@contextmanager
def entering_together(desk: Any, patch: Any) -> Iterator[None]:
    """The next two writes begin at once; in SQLite they are shown to be in one batch."""
    door, write = asyncio.Barrier(2), desk.store.write

    async def enter_together(workspace: str, work: Callable[[Any], Any]) -> Any:
        await door.wait()
        return await write(workspace, work)

    before = desk.store.metric_gauges()
    with patch.context() as patched:
        patched.setitem(desk.dispatcher._enter, Kind.WRITE, enter_together)
        yield
    after = desk.store.metric_gauges()
    if desk.store.engine == "sqlite":
        assert [after[name] - before[name] for name in ("write_batches", "batched_writes")] == [1, 2]


def meet(run: Callable[..., Any]) -> Callable[..., Any]:
    """Each of two waits, the first time it comes here, until both are here."""
    inside, met = threading.Barrier(2), threading.local()

    def met_run(call: Any, *args: Any) -> Any:
        if not call.tx.writes_alone and getattr(met, "tx", None) is not call.tx:
            met.tx = call.tx
            inside.wait(PATIENCE_S)
        return run(call, *args)

    return met_run


class Held:
    """Around what runs under a lock: who comes first goes on when the other waits for it. Where both come here, since
    nothing locks, neither leaves before both have done it, so that neither sees what the other did.
    """

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run
        self.came = 0
        self.other_waited: list[bool] = []
        self._done = threading.Barrier(2)

    def __call__(self, call: Any, *args: Any) -> Any:
        self.came += 1
        is_alone = call.tx.writes_alone or bool(self.other_waited)
        if not is_alone and self.came == 1:
            is_alone = self._is_waited_for(call.tx)
            self.other_waited.append(is_alone)
        outcome = self.run(call, *args)
        if not is_alone:
            self._done.wait(PATIENCE_S)
        return outcome

    def _is_waited_for(self, tx: Any) -> bool:
        deadline = time.monotonic() + PATIENCE_S
        while not (is_waited_for := bool(tx.one(WAIT_FOR_US)[0])) and self.came < 2:
            assert time.monotonic() < deadline, "the other neither waits nor comes"
            time.sleep(0.01)
        return is_waited_for
