"""list_due_fetches: the submissions of all workspaces that are to be read from GitHub now."""

from pendesk.domain.github_api import DueFetch
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import github_fetches


async def run(transactions: Transactions, limit: int) -> list[DueFetch]:
    return await transactions.read("", lambda call: github_fetches.due_in_all_workspaces(call.tx, limit))


OPERATION = ServerOperation(
    name="list_due_fetches",
    title="List due fetches",
    description="Up to so many submissions that are to be read from GitHub now.",
    input=int,
    output=list[DueFetch],
    run=run,
)
