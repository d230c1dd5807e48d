"""What a drafted plan may refer to: the actions of the spec's active plan, and others of the project by their ref."""

from collections import defaultdict

from pendesk.domain.action import ref_code
from pendesk.domain.limits import ORDER_WALK_EDGES
from pendesk.domain.project import Project
from pendesk.domain.proposed_plan import ActionDraft, PlanContext, PresentAction, is_ref
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria, edges
from pendesk.store.engine.json_text import from_json


def present_actions_by_ref(call: Call, project: Project, plan_id: str | None) -> dict[str, PresentAction]:
    if plan_id is None:
        return {}
    criteria_of = criteria.criteria_of_plan_by_action_id(call.tx, plan_id)
    return {
        ref_code(project.key, action.ref_number): PresentAction(
            action.id,
            action.label,
            action.description,
            action.area,
            from_json(action.paths),
            [criterion.text for criterion in criteria_of.get(action.id, [])],
            [criterion.id for criterion in criteria_of.get(action.id, [])],
        )
        for action in actions.of_plan(call.tx, plan_id)
    }


def load_plan_context(call: Call, project: Project, plan_id: str | None, drafts: list[ActionDraft]) -> PlanContext:
    in_plan = present_actions_by_ref(call, project, plan_id)
    refs = {name.upper() for draft in drafts for name in draft.prerequisites if is_ref(name, project.key)} - set(
        in_plan
    )
    id_by_ref = {ref: action_id for ref in refs if (action_id := actions.resolve_id(call.tx, ref)) is not None}
    successors: defaultdict[str, list[str]] = defaultdict(list)
    changed = [in_plan[draft.key.upper()].id for draft in drafts if draft.key and draft.key.upper() in in_plan]
    for action_id in changed:
        for first, later in edges.downstream_before_after_id_pairs(call.tx, action_id, ORDER_WALK_EDGES):
            if later not in successors[first]:
                successors[first].append(later)
    return PlanContext(project.key, in_plan, id_by_ref, lambda action_id: successors.get(action_id, []))
