"""release_action: release an action, unfinished."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim_transitions import release_claim
from pendesk.operations.building.claim_guard import find_and_lock_held_action, save_claim_end
from pendesk.operations.building.next_work import RELEASED, next_work_text
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import claims


class ReleaseAction(Input):
    action_pid: ActionPid
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ReleaseAction) -> ActionResult:
    claims.read_ahead_held_by(call.tx, call.actor.user_id)
    facts, claim = find_and_lock_held_action(call, args.action_pid, args.claim_id)
    acknowledge_messages(call, f"Released {facts.ref}.")
    released = save_claim_end(call, facts, release_claim(facts.action, claim, call.now))
    next_step = f"{RELEASED} {next_work_text(call, facts.action.id)}"
    return action_result_with_unread_news(call, released, brief_rev=args.brief_rev, next_step=next_step)


OPERATION = Operation(
    name="release_action",
    title="Release an action",
    description=(
        "Release an action you hold and cannot finish; not one that is done (submit_for_review) or waits for an "
        "answer. Your claim ends, and what you reported is saved for whoever claims it next. Refused: 422 you do not "
        "hold it, 409 your claim was lost (nothing left to do)."
    ),
    input=ReleaseAction,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
