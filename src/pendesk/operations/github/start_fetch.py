"""start_fetch: one server takes what is due. The reading itself, and then finish_fetch, come after it.

Taking it moves the time at which it is due: of several servers one has it, and what died is tried again then.
"""

from typing import NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.errors import RuleBroken
from pendesk.domain.github_api import NEVER, DueFetch
from pendesk.domain.limits import GITHUB_FETCH_LEASE_US
from pendesk.operations.github.fetch import FetchPlan, plan_fetch
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import actions, github_fetches, reviews


class StartedFetch(NamedTuple):
    """`lease_end`: until then it is this server's."""

    due: DueFetch
    plan: FetchPlan
    lease_end: int


async def run(transactions: Transactions, due: DueFetch) -> StartedFetch | None:
    return await transactions.write(due.workspace_id, lambda call: _start(call, due))


def _start(call: PrivilegedCall, due: DueFetch) -> StartedFetch | None:
    github_fetches.lock_fetch(call.tx, due.action_id)
    row = github_fetches.fetch_of_action(call.tx, due.action_id)
    if row is None or row.due_at > call.now:
        return None
    facts = actions.facts(call.tx, due.action_id)
    newest = reviews.newest_submission(call.tx, due.action_id)
    if facts is None or newest is None or facts.action.state != ActionState.IN_REVIEW:
        github_fetches.remove_fetch(call.tx, due.action_id)
        return None
    try:
        plan = plan_fetch(call, facts, newest)
    except RuleBroken as refusal:
        if refusal.code == "github_token_missing":
            github_fetches.remove_fetch(call.tx, due.action_id)
        else:
            github_fetches.save_fetch(call.tx, row._replace(due_at=NEVER, problem=refusal.message))
        return None
    lease_end = call.now + GITHUB_FETCH_LEASE_US
    taken = row._replace(submission_id=newest.id, due_at=lease_end, tries=row.tries + 1)
    github_fetches.save_fetch(call.tx, taken)
    return StartedFetch(due, plan, lease_end)


OPERATION = ServerOperation(
    name="start_fetch",
    title="Start a fetch",
    description="Take what is due to be read from GitHub; None if another server has it, or nobody needs it any more.",
    input=DueFetch,
    output=StartedFetch | None,
    run=run,
)
