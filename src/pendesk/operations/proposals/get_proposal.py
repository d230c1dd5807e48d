"""get_proposal: what an agent drafted beside the present text, word by word, for the person who decides about it."""

from typing import Annotated

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.proposal import (
    PREREQUISITE,
    Decision,
    Proposal,
    ProposedItem,
    decisions_of,
    items_of,
    to_decide,
)
from pendesk.domain.word_diff import StepBudget, word_diff
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.operations.proposals.find import find_proposal
from pendesk.operations.proposals.present import Present, changed_items, load_present
from pendesk.operations.proposals.results import authors_of
from pendesk.operations.review.author import Who
from pendesk.operations.revisions.comparison_results import DiffPart
from pendesk.store import actions, people, proposals


class GetProposal(Input):
    draft_id: Annotated[Ident, Meta(description="The proposal's pid.")]


class ProposalItem(Output):
    """change: same, added, changed or removed. present: the text now, where it is not what the agent saw; gone: it is
    not there any more. parent: the item of its action. needs: the item of the action that must be accepted with this
    prerequisite. diff: from the present text to the proposed one.
    """

    id: str
    field: str
    change: str
    text: str
    before: str = ""
    present: str | None = None
    gone: bool = False
    parent: str = ""
    needs: str = ""
    diff: list[DiffPart] = []
    decision: str | None = None
    accepted_text: str | None = None
    ref_code: str | None = None


class ProposalView(Output):
    """changed_since: what it would change is not any more what the agent saw. may_create_plan: it changes no action of
    the active plan, so it can become a plan of its own. present_rev: for decide_proposal.
    """

    pid: str
    kind: str
    state: str
    title: str
    version: int
    project: ProjectResult
    who: Who
    created_at: str
    items: list[ProposalItem]
    present_rev: str
    count: int
    changed_since: bool
    may_create_plan: bool
    base_revision: int
    spec_id: str | None = None
    spec_title: str | None = None
    plan_id: str | None = None
    plan_title: str | None = None
    task_ref: str | None = None
    previous_id: str | None = None
    newer_version: str | None = None
    remark: str = ""
    decided_by: str | None = None
    decided_at: str | None = None


def run(call: Call, args: GetProposal) -> ProposalView:
    proposal = find_proposal(call, args.draft_id)
    present = load_present(call, proposal)
    items, decisions = items_of(proposal), decisions_of(proposal)
    user_ids = [user_id for user_id in (proposal.decided_by,) if user_id]
    refs = actions.ref_code_by_id(call.tx, [proposal.action_id]) if proposal.action_id else {}
    return ProposalView(
        pid=proposal.id,
        kind=proposal.kind,
        state=proposal.state,
        title=proposal.title,
        version=proposal.version,
        project=project_result(find_project(call, proposal.project_id)),
        who=authors_of(call, [proposal])[proposal.id],
        created_at=to_iso(proposal.created_at),
        items=_items(call, proposal, present, decisions),
        present_rev=present.rev,
        count=len(to_decide(items)),
        changed_since=bool(changed_items(proposal, present)),
        may_create_plan=proposal.kind == "plan" and not any(item.field == "action" and item.target for item in items),
        base_revision=proposal.base_revision,
        spec_id=proposal.spec_id,
        spec_title=present.spec.title if present.spec else None,
        plan_id=present.plan.id if present.plan else None,
        plan_title=present.plan.title if present.plan else None,
        task_ref=refs.get(proposal.action_id or ""),
        previous_id=proposal.previous_id,
        newer_version=proposals.next_version_id(call.tx, proposal.id),
        remark=proposal.remark,
        decided_by=people.names_by_user_id(call.tx, user_ids).get(proposal.decided_by or ""),
        decided_at=to_iso_or_none(proposal.decided_at),
    )


def _items(call: Call, proposal: Proposal, present: Present, decisions: dict[str, Decision]) -> list[ProposalItem]:
    items, budget = items_of(proposal), StepBudget()
    targets = sorted({item.target for item in items if item.field in ("action", PREREQUISITE) and "-" in item.target})
    refs = actions.ref_code_by_id(call.tx, targets) if targets else {}
    is_open = proposal.state == "open"
    return [_item(item, present, decisions.get(item.id), refs, budget, is_open) for item in items]


def _item(
    item: ProposedItem,
    present: Present,
    decision: Decision | None,
    refs: dict[str, str],
    budget: StepBudget,
    is_open: bool,
) -> ProposalItem:
    now = present.texts.get(item.id) if is_open else item.before
    is_gone = is_open and item.change in ("changed", "removed") and now is None
    old, new = now or "" if item.change == "changed" else item.before, "" if item.change == "removed" else item.text
    diff = word_diff(old, new, budget) if item.change == "changed" else []
    return ProposalItem(
        id=item.id,
        field=item.field,
        change=item.change,
        text=item.text,
        before=item.before,
        present=now if now is not None and now != item.before and item.change in ("changed", "removed") else None,
        gone=is_gone,
        parent=item.parent,
        needs=item.target if item.field == PREREQUISITE and item.target not in refs else "",
        diff=[DiffPart(change=part.change, text=part.text) for part in diff],
        decision=decision.state if decision else None,
        accepted_text=decision.text if decision and decision.state == "edited" else None,
        ref_code=(decision.ref if decision else "") or refs.get(item.target),
    )


OPERATION = Operation(
    name="get_proposal",
    title="Read a proposal",
    description=(
        "A spec or plan that an agent drafted, item by item beside the present text, with what was decided about it. "
        "Next: decide_proposal. Refused: 404 no such proposal."
    ),
    input=GetProposal,
    output=ProposalView,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
