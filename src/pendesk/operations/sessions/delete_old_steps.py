"""delete_old_steps: what agent sessions did some days ago, and all but the newest of what each did."""

from itertools import groupby
from operator import itemgetter

from pendesk.domain.limits import DAY_US, STEPS_PER_SESSION
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import session_activity, session_steps


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", _delete_old)
    long = await transactions.long_read(
        "", lambda call: session_steps.sessions_with_more_in_all_workspaces(call.tx, STEPS_PER_SESSION)
    )
    for workspace_id, sessions in groupby(sorted(long), itemgetter(0)):
        session_ids = [session_id for _workspace_id, session_id in sessions]

        def trim(call: PrivilegedCall, session_ids: list[str] = session_ids) -> None:
            for session_id in session_ids:
                session_steps.delete_all_but_newest(call.tx, session_id, STEPS_PER_SESSION)

        await transactions.long_write(workspace_id, trim)


def _delete_old(call: PrivilegedCall) -> None:
    days = call.limits.activity_days
    session_steps.delete_old_in_all_workspaces(call.tx, call.now - days * DAY_US)
    # What a session does now is known even where no steps are saved.
    session_activity.delete_old_in_all_workspaces(call.tx, call.now - max(days, 1) * DAY_US)


OPERATION = ServerOperation(
    name="delete_old_steps",
    title="Delete old steps",
    description=(
        "Delete the steps of agent sessions that are older than the setting activity_days, and all but the newest "
        "of each session, in all workspaces."
    ),
    input=type(None),
    output=None,
    run=run,
)
