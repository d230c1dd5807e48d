"""finish_fetch: what GitHub answered is saved, or why it did not, and when it is asked again."""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken
from pendesk.domain.github_api import ApiProblem, next_refresh_at, next_try_at
from pendesk.operations.github.fetch import Fetched, record_fetched
from pendesk.operations.github.start_fetch import StartedFetch
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import github_fetches


class FinishFetch(NamedTuple):
    started: StartedFetch
    answer: Fetched | ApiProblem


async def run(transactions: Transactions, args: FinishFetch) -> bool:
    """False where another server took it over, or it was submitted anew or removed meanwhile."""
    workspace_id = args.started.due.workspace_id
    if isinstance(args.answer, ApiProblem):
        problem = args.answer
        return await transactions.write(workspace_id, lambda call: _save_problem(call, args.started, problem))
    fetched = args.answer
    try:
        return await transactions.long_write(workspace_id, lambda call: _save_fetched(call, args.started, fetched))
    except RuleBroken as refusal:
        problem = ApiProblem(refusal.message)
        return await transactions.write(workspace_id, lambda call: _save_problem(call, args.started, problem))


def _save_fetched(call: PrivilegedCall, started: StartedFetch, fetched: Fetched) -> bool:
    plan = started.plan
    record_fetched(call, plan, fetched)
    if not _lock_own(call, started):
        return False
    row = github_fetches.fetch_of_action(call.tx, plan.action_id)
    assert row is not None
    due_at = next_refresh_at(plan.submission.submitted_at, call.now)
    github_fetches.save_fetch(call.tx, row._replace(due_at=due_at, tries=0, problem=None))
    return True


def _save_problem(call: PrivilegedCall, started: StartedFetch, problem: ApiProblem) -> bool:
    plan = started.plan
    if problem.is_of_token:
        github_fetches.save_token_checked(call.tx, plan.project.id, plan.token_set_at, problem.text)
    if not _lock_own(call, started):
        return False
    row = github_fetches.fetch_of_action(call.tx, plan.action_id)
    assert row is not None
    due_at = next_try_at(row.tries, problem, call.now)
    github_fetches.save_fetch(call.tx, row._replace(due_at=due_at, problem=problem.text))
    return True


def _lock_own(call: PrivilegedCall, started: StartedFetch) -> bool:
    github_fetches.lock_fetch(call.tx, started.plan.action_id)
    row = github_fetches.fetch_of_action(call.tx, started.plan.action_id)
    return row is not None and row.due_at == started.lease_end and row.submission_id == started.plan.submission.id


OPERATION = ServerOperation(
    name="finish_fetch",
    title="Finish a fetch",
    description="Save what GitHub answered about a submission, and when it is asked again.",
    input=FinishFetch,
    output=bool,
    run=run,
)
