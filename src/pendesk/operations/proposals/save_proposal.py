"""Saving what an agent drafted, the same for a spec and a plan."""

from typing import NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.agent import CLIENT_NAMES
from pendesk.domain.event import Event
from pendesk.domain.event_data import ProposalCreatedData
from pendesk.domain.limits import OPEN_PROPOSALS
from pendesk.domain.project import check_count_below_limit
from pendesk.domain.proposal import (
    Proposal,
    ProposalKind,
    ProposalState,
    ProposedItem,
    check_changes_something,
    check_may_be_replaced,
    check_proposal_size,
    items_to_json,
    to_decide,
)
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.operations.proposals.drafting_task import move_drafting_task
from pendesk.operations.proposals.find import find_and_lock_proposal
from pendesk.store import proposals


class DraftTarget(NamedTuple):
    """What a draft is about. base_revision: of the spec or the plan that it changes, 0 for a new one."""

    kind: ProposalKind
    title: str
    project_id: str
    spec_id: str | None = None
    plan_id: str | None = None
    base_revision: int = 0
    action_id: str | None = None


def find_replaced_proposal(call: Call, kind: ProposalKind, draft_id: str | None) -> Proposal | None:
    """The version before, locked; its project is locked as well."""
    if draft_id is None:
        return None
    previous = find_and_lock_proposal(call, draft_id)
    check_may_be_replaced(previous, kind, proposals.next_version_id(call.tx, previous.id) is None)
    return previous


def save_proposal(call: Call, target: DraftTarget, items: list[ProposedItem], previous: Proposal | None) -> Proposal:
    """The project must be locked: its open proposals are counted."""
    check_changes_something(items)
    check_proposal_size(items)
    if previous is not None:
        proposals.supersede(call.tx, previous.id)
    count = proposals.count_open(call.tx, target.project_id)
    next_step = "Ask your user to decide about them, or replace one of yours with draft_id."
    check_count_below_limit(count, OPEN_PROPOSALS, "drafts of this project that wait for a person", next_step)
    proposal = _new_proposal(call, target, items, previous)
    proposals.add(call.tx, proposal)
    _record_created(call, proposal, len(to_decide(items)))
    move_drafting_task(call, proposal.action_id, ActionState.IN_REVIEW)
    return proposal


def _record_created(call: Call, proposal: Proposal, item_count: int) -> None:
    event_data = ProposalCreatedData(
        draft=proposal.kind,
        title=proposal.title,
        version=proposal.version,
        items=item_count,
        replaces=proposal.previous_id,
    )
    event = Event(
        "proposal.created", proposal.id, proposal.project_id, proposal.spec_id, proposal.action_id, event_data
    )
    call.record(event, proposal.agent_model)


def _new_proposal(call: Call, target: DraftTarget, items: list[ProposedItem], previous: Proposal | None) -> Proposal:
    session = call.agent_session
    return Proposal(
        id=new_id(),
        project_id=target.project_id,
        spec_id=target.spec_id,
        plan_id=target.plan_id,
        action_id=target.action_id or (previous.action_id if previous else None),
        kind=target.kind,
        title=target.title,
        base_revision=target.base_revision,
        version=previous.version + 1 if previous else 1,
        previous_id=previous.id if previous else None,
        items=items_to_json(items),
        state=ProposalState.OPEN,
        author_id=call.actor.user_id,
        session_id=session.id if session else None,
        client_name=(CLIENT_NAMES.get(session.client) or "an agent") if session else "a person",
        agent_model=session.model if session else None,
        created_at=call.now,
    )
