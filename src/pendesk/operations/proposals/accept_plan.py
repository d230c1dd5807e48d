"""What a person accepted of a drafted plan, written as their own edits: the plan, its actions, criteria and order."""

from typing import Any, NamedTuple

from pendesk.domain.project import Project
from pendesk.domain.proposal import PREREQUISITE, Proposal, ProposedItem
from pendesk.operations.actions import (
    create_action,
    create_criterion,
    remove_criterion,
    update_action,
    update_criterion,
)
from pendesk.operations.actions.create_edge import find_or_create_edge
from pendesk.operations.actions.find import find_action
from pendesk.operations.operation import Call
from pendesk.operations.plans import create_plan, update_plan
from pendesk.operations.projects.find import find_project
from pendesk.operations.proposals.checked_input import checked_input
from pendesk.operations.proposals.present import Present
from pendesk.store import criteria, plans


class AcceptedPlan(NamedTuple):
    """ref_by_item: the ref code of the action that an item became."""

    plan_id: str
    ref_by_item: dict[str, str]


def accept_plan(
    call: Call,
    proposal: Proposal,
    present: Present,
    items: list[ProposedItem],
    accepted: dict[str, str],
    new_plan_title: str | None,
) -> AcceptedPlan:
    """accepted: item id -> its text. new_plan_title: None changes the active plan, where there is one."""
    plan_id = _save_plan(call, proposal, present, accepted.get("approach"), new_plan_title)
    action_ids, refs = {}, {}
    for head in (item for item in items if item.field == "action"):
        children = [item for item in items if item.parent == head.id and item.id in accepted]
        if head.target and head.id in present.texts:
            action_ids[head.id] = head.target
            _edit_action(call, head.target, children, accepted)
        elif head.id in accepted:
            action = create_action.run(call, _create_action_input(plan_id, head, children, accepted))
            action_ids[head.id], refs[head.id] = action.pid, action.ref_code
    _connect(call, find_project(call, proposal.project_id), items, accepted, action_ids)
    return AcceptedPlan(plan_id, refs)


def _save_plan(
    call: Call, proposal: Proposal, present: Present, approach: str | None, new_plan_title: str | None
) -> str:
    if present.plan is not None and new_plan_title is None:
        if approach is not None:
            fields = {"plan_id": present.plan.id, "approach": approach}
            update_plan.run(call, checked_input(update_plan.UpdatePlan, fields))
        return present.plan.id
    count = len(plans.of_spec(call.tx, proposal.spec_id or ""))
    title = new_plan_title or ("Plan" if count == 0 else f"Plan {count + 1}")
    fields = {"spec_id": proposal.spec_id or "", "title": title, "approach": approach or ""}
    return create_plan.run(call, checked_input(create_plan.CreatePlan, fields)).pid


def _create_action_input(
    plan_id: str, head: ProposedItem, children: list[ProposedItem], accepted: dict[str, str]
) -> create_action.CreateAction:
    fields: dict[str, Any] = {"plan_id": plan_id, "label": accepted[head.id]}
    fields |= _texts(children, accepted)
    fields["criteria"] = [accepted[item.id] for item in children if item.field == "criteria"]
    return checked_input(create_action.CreateAction, fields)


def _texts(children: list[ProposedItem], accepted: dict[str, str]) -> dict[str, Any]:
    texts: dict[str, Any] = {
        item.field: accepted[item.id] for item in children if item.field in ("label", "description", "area", "paths")
    }
    if "paths" in texts:
        texts["paths"] = [line.strip() for line in texts["paths"].splitlines() if line.strip()]
    return texts


def _edit_action(call: Call, action_id: str, children: list[ProposedItem], accepted: dict[str, str]) -> None:
    texts = _texts(children, accepted)
    if texts:
        update_action.run(call, checked_input(update_action.UpdateAction, {"action_id": action_id, **texts}))
    for item in (child for child in children if child.field == "criteria"):
        criterion = criteria.by_id(call.tx, item.target) if item.target else None
        fields = {"criterion_id": item.target, "text": accepted[item.id]}
        if item.change == "removed":
            if criterion is not None:
                remove_criterion.run(call, remove_criterion.RemoveCriterion(criterion_id=criterion.id))
        elif criterion is not None:
            update_criterion.run(call, checked_input(update_criterion.UpdateCriterion, fields))
        else:
            added = {"action_id": action_id, "text": accepted[item.id]}
            create_criterion.run(call, checked_input(create_criterion.CreateCriterion, added))


def _connect(
    call: Call, project: Project, items: list[ProposedItem], accepted: dict[str, str], action_ids: dict[str, str]
) -> None:
    """After all of them are there. The project is locked."""
    for item in items:
        if item.field == PREREQUISITE and item.id in accepted and item.parent in action_ids:
            later = find_action(call, action_ids[item.parent]).action
            first = find_action(call, action_ids.get(item.target, item.target)).action
            find_or_create_edge(call, project, later, first, "depends_on")
