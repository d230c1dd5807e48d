"""The whole way of an import: who may, the file staged, the transaction, and the disk left tidy."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pendesk import clock
from pendesk.domain.access import Actor, check_permission
from pendesk.domain.errors import Refusal
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.exchange import delete_unfinished_imports
from pendesk.operations.exchange.import_project import OPERATION, PURPOSE, ProjectImported
from pendesk.operations.exchange.staging import StagedImport, remove_files


def check_may_import(actor: Actor) -> None:
    """Before any byte of a file is taken in."""
    check_permission(actor, OPERATION.scope, OPERATION.role)


async def run_import(
    dispatcher: Dispatcher, actor: Actor, stage: Callable[[], StagedImport], *, now: int | None = None, **args: Any
) -> ProjectImported:
    """`stage` reads and checks the file, in a thread; `args` is what import_project is asked besides."""
    check_may_import(actor)
    staged = await asyncio.to_thread(stage)
    files = dispatcher.installation.files
    receipt = make_signed_file_receipt(dispatcher.installation, actor, staged.received, now or clock.now_us(), PURPOSE)
    try:
        answer = await dispatcher.call(actor, OPERATION.name, {"receipt": receipt, **args})
    except Refusal as refusal:
        # What is not known to have failed may have been saved. The sweeper finds what nobody needs.
        if refusal.code != "outcome_unknown":
            remove_files(files, staged.keys)
        files.remove(staged.received.key)
        with suppress(Refusal):  # the server tries again
            await dispatcher.call_as_server(delete_unfinished_imports.OPERATION, None)
        raise
    files.remove(staged.received.key)
    assert isinstance(answer, ProjectImported)
    return answer
