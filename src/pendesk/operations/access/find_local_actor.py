"""find_local_actor: who may read the data folder acts as the first owner, or as the member they name."""

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.people import Account
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import people
from pendesk.store.installation import find_first_workspace_id


async def run(transactions: Transactions, email: str) -> Actor | None:
    """An empty email stands for the first owner."""
    workspace_id = await transactions.read("", lambda call: find_first_workspace_id(call.tx))
    if workspace_id is None:
        return None

    def find(call: PrivilegedCall) -> Account | None:
        return (
            people.account_by_email(call.tx, email.strip().lower()) if email else people.earliest_added_owner(call.tx)
        )

    account = await transactions.read(workspace_id, find)
    if account is None:
        return None
    return Actor(workspace_id, account.user_id, account.name, Role.from_label(account.role), ALL_SCOPES, "cli")


OPERATION = ServerOperation(
    name="find_local_actor",
    title="Find the local actor",
    description="The actor of a command on the data folder, or None where there is no such member.",
    input=str,
    output=Actor | None,
    run=run,
)
