"""submit_for_review: submit finished work to a person."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.claim_refusals import check_not_rework
from pendesk.domain.event_data import ActionSubmittedData
from pendesk.domain.review_transitions import submit_action
from pendesk.operations.building.claim_guard import find_and_lock_held_action
from pendesk.operations.building.next_work import next_work_text
from pendesk.operations.building.results import (
    ActionResult,
    action_result_with_unread_news,
    is_unread_build,
)
from pendesk.operations.building.submission import (
    SubmittedWork,
    add_concerns,
    create_submission,
    save_submitted_action,
    submitted_code,
)
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import claims

SUBMITTED = "Submitted. Stop working on this action: a person reviews it; the verdict comes as news with a later call."
SUPERSEDED = (
    "Submitted, but a newer build of this spec is published. Read get_action_brief's changes, "
    "bring the work up to it, and use resubmit_for_review if anything has to change."
)


class SubmitForReview(SubmittedWork):
    pass


def run(call: Call, args: SubmitForReview) -> ActionResult:
    code = submitted_code(args)
    late = ActionSubmittedData(pr_url=code.pr_url, summary=args.summary, branch=code.branch, head_sha=code.head_sha)
    facts, claim = find_and_lock_held_action(call, args.action_pid, args.claim_id, ("action.submitted", late))
    check_not_rework(facts)
    saved = create_submission(call, facts, claim, args, code)
    submitted = submit_action(facts.action, claim, saved.submission, saved.unmet_ids, saved.evidence, call.now)
    claims.save_end(call.tx, submitted.claim)
    save_submitted_action(call, facts, submitted, saved)
    after = facts._replace(action=submitted.action, claim=submitted.claim)
    result = action_result_with_unread_news(
        call, after, brief_rev=args.brief_rev, next_step=_next_step_text(call, facts, claim)
    )
    return add_concerns(result, saved)


def _next_step_text(call: Call, facts: ActionFacts, claim: Claim) -> str:
    return SUPERSEDED if is_unread_build(facts, claim) else f"{SUBMITTED} {next_work_text(call)}"


OPERATION = Operation(
    name="submit_for_review",
    title="Submit for review",
    description=(
        "Submit the finished action for review by a person. Call it once, when every criterion has a passed test and "
        "the work is pushed. Locks the action, frees your claim slot; criteria with evidence become validated. "
        "Refused: 422 you do not hold it, a question is open (get it answered), a criterion unknown or failing "
        "(fix it, or name it in unmet), or in-review already (resubmit_for_review); 409 your claim was lost."
    ),
    input=SubmitForReview,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
