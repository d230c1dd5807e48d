"""How much work a statement makes SQLite do: steps of its virtual machine, the same however busy the machine is.

Checks of foreign keys and triggers are part of the statement that sets them off, so they are counted with it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw

VM_STEP = "SQLITE_STMTSTATUS_VM_STEP"


@contextmanager
def counted(connection: apsw.Connection) -> Iterator[dict[str, int]]:
    """Statement -> its steps, of everything that runs to its end meanwhile."""
    steps: dict[str, int] = {}

    def keep(event: dict[str, Any]) -> None:
        # A trigger's statements come by themselves, marked as a comment: they are part of what set them off.
        if not event["sql"].startswith("--"):
            steps[event["sql"]] = steps.get(event["sql"], 0) + event["stmt_status"][VM_STEP]

    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, keep)
    try:
        yield steps
    finally:
        connection.trace_v2(0, None)
