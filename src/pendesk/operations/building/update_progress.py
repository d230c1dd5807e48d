"""update_progress: a milestone for the people who watch, and the explicit heartbeat of the claim."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ProgressStatus
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.claim_transitions import mark_wont_do, release_claim, report_progress
from pendesk.domain.event_data import ActionProgressedData
from pendesk.domain.prerequisite import undecided_next_step
from pendesk.operations.availability import visible_refs
from pendesk.operations.building.claim_guard import find_and_lock_held_action, save_claim_end
from pendesk.operations.building.next_work import RELEASED, next_work_text
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Message
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import claims, prerequisites


class UpdateProgress(Input):
    enum_hints = {"status": " Finished work is submitted with submit_for_review."}

    action_pid: ActionPid
    status: Annotated[
        ProgressStatus,
        Meta(description="started: at work. not-started: release it. wont-do: drop it; message says why."),
    ]
    message: Annotated[Message, Meta(description="One sentence, past tense: what just happened.")]
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateProgress) -> ActionResult:
    late = ActionProgressedData(status=args.status, message=args.message)
    facts, claim = find_and_lock_held_action(call, args.action_pid, args.claim_id, ("action.progressed", late))
    acknowledge_messages(call, args.message)
    next_step = None
    if args.status == ProgressStatus.STARTED:
        facts = _save_progress(call, facts, claim, args.message)
    elif args.status == ProgressStatus.NOT_STARTED:
        _save_last_message(call, claim, args.message)
        facts = save_claim_end(call, facts, release_claim(facts.action, claim, call.now, message=args.message))
        next_step = f"{RELEASED} {next_work_text(call)}"
    else:
        _save_last_message(call, claim, args.message)
        waiting = prerequisites.open_dependents(call.tx, facts.action.id)
        refs, visible = [dependent.ref for dependent in waiting], visible_refs(call, [row.id for row in waiting])
        facts = save_claim_end(call, facts, mark_wont_do(facts.action, claim, args.message, call.now, refs))
        next_step = undecided_next_step(visible, len(refs) - len(visible))
    return action_result_with_unread_news(call, facts, next_step=next_step, brief_rev=args.brief_rev)


def _save_progress(call: Call, facts: ActionFacts, claim: Claim, message: str) -> ActionFacts:
    renewed, event = report_progress(facts.action, claim, message, call.now, call.limits)
    claims.save_renewal_and_progress_message(call.tx, renewed)
    call.record(event, claim.agent_model)
    return facts._replace(claim=renewed)


def _save_last_message(call: Call, claim: Claim, message: str) -> None:
    """What the next holder's hand-over says of this one."""
    claims.save_renewal_and_progress_message(call.tx, claim._replace(last_message=message, last_message_at=call.now))


OPERATION = Operation(
    name="update_progress",
    title="Report progress",
    description=(
        "Tell the people who follow the work what just happened, and keep your claim alive. Call it at each milestone "
        "and at least every 20 minutes; commits and tests have their own tools. Act on advisory and news in the "
        "result. Refused: 422 you do not hold the action (claim it), 409 your claim was lost (stop; the message is "
        "saved)."
    ),
    input=UpdateProgress,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
