"""decide_proposal: a person accepts all, some or none of what an agent drafted, and edits it before."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.errors import BadField
from pendesk.domain.event import Event
from pendesk.domain.event_data import ProposalDecidedData
from pendesk.domain.limits import ID_CHARS, PROPOSAL_ITEMS
from pendesk.domain.proposal import (
    Decision,
    Proposal,
    ProposalState,
    ProposedItem,
    accepted_texts,
    check_is_open,
    decisions_to_json,
    items_of,
    parse_decisions,
    state_after,
    to_decide,
)
from pendesk.operations.fields import IdempotencyKey, Ident, Label, Message, Text
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.proposals.accept_plan import accept_plan
from pendesk.operations.proposals.accept_spec import accept_spec
from pendesk.operations.proposals.drafting_task import move_drafting_task
from pendesk.operations.proposals.find import find_and_lock_proposal
from pendesk.operations.proposals.present import Present, check_is_present_rev, load_present
from pendesk.store import proposals, session_news


class ItemDecision(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    id: Annotated[str, Meta(min_length=1, max_length=ID_CHARS, description="The item's id, from get_proposal.")]
    accept: bool = False
    text: Annotated[Text, Meta(description="The item as you edited it; as it was proposed if left out.")] | None = None


class DecideProposal(Input):
    draft_id: Annotated[Ident, Meta(description="The proposal's pid.")]
    verdict: Annotated[
        Literal["accept", "accept_all", "reject"], Meta(description="accept: the items marked so. reject: none of it.")
    ]
    items: Annotated[list[ItemDecision], Meta(max_length=PROPOSAL_ITEMS)] = []
    remark: Annotated[Message, Meta(description="For the agent, which reads it with get_draft.")] | None = None
    into: Annotated[
        Literal["active", "new"], Meta(description="Of a plan: change the active plan, or create another one.")
    ] = "active"
    plan_title: Annotated[Label, Meta(description="The title of the new plan.")] | None = None
    present_rev: (
        Annotated[Ident, Meta(description="presentRev of get_proposal: 409 if the text has changed since.")] | None
    ) = None
    idempotency_key: IdempotencyKey | None = None


class Decided(Output):
    """left_out: prerequisites that were accepted without the action they name, and what is gone by now."""

    pid: str
    state: str
    accepted: int
    rejected: int
    left_out: int
    spec_id: str | None = None
    plan_id: str | None = None
    ref_codes: list[str] = []


def run(call: Call, args: DecideProposal) -> Decided:
    proposal = find_and_lock_proposal(call, args.draft_id)
    check_is_open(proposal)
    items = items_of(proposal)
    present = load_present(call, proposal)
    decisions = _decisions(args, proposal, items, present)
    if args.verdict != "reject":
        check_is_present_rev(call, proposal, present, args.present_rev)
        proposal, decisions = _apply(call, args, proposal, present, items, decisions)
    decided = proposal._replace(
        state=state_after(decisions),
        decided_by=call.actor.user_id,
        decided_at=call.now,
        remark=args.remark or "",
        decisions=decisions_to_json(decisions),
    )
    proposals.save_decision(call.tx, decided)
    result = _result(decided, decisions)
    _record_and_tell(call, decided, result)
    return result


def _decisions(
    args: DecideProposal, proposal: Proposal, items: list[ProposedItem], present: Present
) -> dict[str, Decision]:
    if args.verdict == "reject":
        return {item.id: Decision("rejected") for item in to_decide(items)}
    edited = {item.id: item.text for item in args.items}
    if args.verdict == "accept_all":
        accepted = {item.id: edited.get(item.id) for item in to_decide(items)}
    else:
        accepted = {item.id: item.text for item in args.items if item.accept}
    if not accepted:
        raise BadField("items", "choose at least one item to accept, or reject the proposal.")
    # A new spec has a title, whatever else is accepted of it.
    forced = ["title"] if proposal.kind == "spec" and proposal.spec_id is None else []
    decisions = parse_decisions(items, accepted, forced)
    gone = {item.id for item in items if item.field == "action" and item.target and item.id not in present.texts}
    return decisions | {item.id: Decision("left_out") for item in to_decide(items) if item.parent in gone}


def _apply(
    call: Call,
    args: DecideProposal,
    proposal: Proposal,
    present: Present,
    items: list[ProposedItem],
    decisions: dict[str, Decision],
) -> tuple[Proposal, dict[str, Decision]]:
    """As the person's own edits; their events name the program that drafted it."""
    call.accepted_draft_of = proposal.client_name
    accepted = accepted_texts(decisions)
    if proposal.kind == "spec":
        proposal = proposal._replace(spec_id=accept_spec(call, proposal, items, accepted))
    else:
        if args.into == "new" and any(item.field == "action" and item.target for item in items):
            raise BadField("into", "this proposal changes actions of the active plan; accept it into that plan.")
        new_title = args.plan_title or "New plan" if args.into == "new" else None
        result = accept_plan(call, proposal, present, items, accepted, new_title)
        proposal = proposal._replace(plan_id=result.plan_id)
        decisions = decisions | {
            item_id: decisions[item_id]._replace(ref=ref) for item_id, ref in result.ref_by_item.items()
        }
    call.accepted_draft_of = None
    return proposal, decisions


def _record_and_tell(call: Call, decided: Proposal, result: Decided) -> None:
    event_data = ProposalDecidedData(
        draft=decided.kind,
        title=decided.title,
        verdict=decided.state,
        accepted=result.accepted,
        rejected=result.rejected + result.left_out,
        agent=decided.client_name,
        message=decided.remark or None,
    )
    event = Event("proposal.decided", decided.id, decided.project_id, decided.spec_id, decided.action_id, event_data)
    if decided.session_id is None:
        call.record(event)
    else:
        session_news.add(call.tx, decided.session_id, call.record_returning_id(event))
    is_rejected = decided.state == ProposalState.REJECTED
    target = ActionState.TODO if is_rejected else ActionState.DONE
    move_drafting_task(call, decided.action_id, target, decided.remark or None)


def _result(decided: Proposal, decisions: dict[str, Decision]) -> Decided:
    states = [decision.state for decision in decisions.values()]
    return Decided(
        pid=decided.id,
        state=decided.state,
        accepted=states.count("accepted") + states.count("edited"),
        rejected=states.count("rejected"),
        left_out=states.count("left_out"),
        spec_id=decided.spec_id,
        plan_id=decided.plan_id,
        ref_codes=[decision.ref for decision in decisions.values() if decision.ref],
    )


OPERATION = Operation(
    name="decide_proposal",
    title="Decide about a proposal",
    description=(
        "Accept all, some or none of a spec or plan that an agent drafted, item by item, edited where you say so. What "
        "is accepted is saved as your edit; nothing is published. A prerequisite whose action is not accepted is left "
        "out. Refused: 409 the text has changed since present_rev; 422 it is decided already, or nothing is chosen."
    ),
    input=DecideProposal,
    output=Decided,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,  # hundreds of rows, each with its event
    run=run,
)
