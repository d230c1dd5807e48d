"""fetch_change: the pull request, the checks and the change of what is in review, read from GitHub now."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import OtherServerSilent, RuleBroken
from pendesk.domain.github_api import GithubFetch, next_refresh_at
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import ActionId
from pendesk.operations.github.api import FetchFailed
from pendesk.operations.github.code_state import CodeState, code_state_by_action_id
from pendesk.operations.github.fetch import Fetched, FetchPlan, fetch_submission, plan_fetch, record_fetched
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound, no_op_finish
from pendesk.store import changes, github_fetches, reviews


class FetchChange(Input):
    action_id: ActionId


class ChangeFetched(Output):
    """has_change: the reviewer sees the change now. code: as everywhere."""

    action_pid: str
    ref_code: str
    has_change: bool
    code: CodeState | None = None


def prepare(call: Call, args: FetchChange) -> FetchPlan:
    facts = find_action(call, args.action_id)
    submission = reviews.newest_submission(call.tx, facts.action.id)
    if submission is None:
        raise RuleBroken(
            f"{facts.ref} has not been submitted, so there is no pull request to read. Its agent submits it when it is "
            "done.",
            code="not_submitted",
        )
    return plan_fetch(call, facts, submission)


async def send(outbound: Outbound, plan: FetchPlan) -> Fetched:
    try:
        return await fetch_submission(outbound, plan)
    except FetchFailed as failed:
        raise OtherServerSilent(f"{failed.problem.text} Nothing was changed here.", code="github_refused") from None


def record(call: Call, args: FetchChange, plan: FetchPlan, fetched: Fetched) -> ChangeFetched:
    record_fetched(call, plan, fetched)
    facts = find_action(call, args.action_id)
    queued = github_fetches.fetch_of_action(call.tx, plan.action_id)
    if queued is not None and queued.submission_id == plan.submission.id:
        due_at = next_refresh_at(plan.submission.submitted_at, call.now)
        github_fetches.save_fetch(call.tx, GithubFetch(plan.action_id, plan.submission.id, due_at, 0, None))
    return ChangeFetched(
        action_pid=facts.action.id,
        ref_code=facts.ref,
        has_change=changes.of_submission(call.tx, plan.submission.id) is not None,
        code=code_state_by_action_id(call, [facts.action.id]).get(facts.action.id),
    )


OPERATION = Operation(
    name="fetch_change",
    title="Fetch from GitHub",
    description=(
        "Read the pull request, the checks and, where nobody pushed it, the change of an action's newest submission "
        "from GitHub, with the project's token. The server does it by itself when work is submitted, and again while "
        "it is in review. Refused: 404 no such action, 422 no submission, token, repository or pull request of it; "
        "502 GitHub does not answer it, with the reason."
    ),
    input=FetchChange,
    output=ChangeFetched,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=send, record=record, finish=no_op_finish),
)
