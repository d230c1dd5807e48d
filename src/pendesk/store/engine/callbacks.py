"""What both stores call that is not their own code. Whatever it raises, callers are answered and the store goes on."""

import logging
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
X = TypeVar("X")

log = logging.getLogger("pendesk.store")

CommitListener = Callable[[str], object]


def run_stop_iteration_as_runtime_error(work: Callable[[X], T], tx: X) -> T:
    """A StopIteration becomes a RuntimeError, as in a generator: no future can hold it, so nobody would be answered."""
    try:
        return work(tx)
    except StopIteration as error:
        raise RuntimeError("the work raised StopIteration") from error


def with_errors_logged_not_raised(listener: CommitListener) -> Callable[[str], None]:
    """The write stands and its callers have their answer: an error of who only listens is for the log."""

    def notify(workspace: str) -> None:
        try:
            listener(workspace)
        except Exception:
            log.exception("the commit listener failed")

    return notify
