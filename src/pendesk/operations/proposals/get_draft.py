"""get_draft: what a person decided about a draft, item by item; or the present texts of a spec, to draft a change."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ref_code
from pendesk.domain.errors import BadField
from pendesk.domain.limits import OPEN_PROPOSALS
from pendesk.domain.project import Project, Spec
from pendesk.domain.proposal import Proposal, ProposalState, decisions_of, items_of, to_decide
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.fields import Ident, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.proposals.find import find_proposal
from pendesk.operations.proposals.results import NEXT_STEPS, Draft, OpenDraft, PlanActionText, SpecText, draft_item
from pendesk.operations.specs.find import find_spec
from pendesk.operations.truncate import RestField
from pendesk.store import actions, criteria, drafts, people, plans, proposals
from pendesk.store.engine.json_text import from_json


class GetDraft(Input):
    draft_id: Annotated[Ident, Meta(description="The draft's pid.")] | None = None
    spec_id: SpecId | None = None
    rest: RestField | None = None


def run(call: Call, args: GetDraft) -> Draft:
    if (args.draft_id is None) == (args.spec_id is None):
        raise BadField("draft_id", "give either draft_id, or the spec_id of a spec.")
    if args.draft_id is not None:
        draft = draft_result(call, find_proposal(call, args.draft_id))
        return truncate_for_agent_or_read_rest(call, draft, args.rest, items=[])
    present = _present_texts(call, find_spec(call, args.spec_id or ""))
    return truncate_for_agent_or_read_rest(call, present, args.rest, spec=None, approach=None, actions=[])


def draft_result(call: Call, proposal: Proposal) -> Draft:
    items, decisions = items_of(proposal), decisions_of(proposal)
    targets = {item.id: item.target for item in items if item.field == "action" and item.target}
    refs = actions.ref_code_by_id(call.tx, sorted(targets.values())) if targets else {}
    names = people.names_by_user_id(call.tx, [proposal.decided_by]) if proposal.decided_by else {}
    return Draft(
        pid=proposal.id,
        kind=proposal.kind,
        state=proposal.state,
        version=proposal.version,
        title=proposal.title,
        project_id=proposal.project_id,
        spec_id=proposal.spec_id,
        newer_version=proposals.next_version_id(call.tx, proposal.id),
        next_step=NEXT_STEPS[ProposalState(proposal.state)],
        remark=proposal.remark,
        decided_by=names.get(proposal.decided_by or ""),
        items=[
            draft_item(item, decisions.get(item.id), refs.get(targets.get(item.parent, "")))
            for item in to_decide(items)
        ],
    )


def _present_texts(call: Call, spec: Spec) -> Draft:
    project = find_project(call, spec.project_id)
    plan = plans.by_id(call.tx, spec.active_plan_id) if spec.active_plan_id else None
    open_proposals = proposals.open_of_spec(call.tx, spec.id, OPEN_PROPOSALS)
    return Draft(
        next_step=_next_step_on_spec(spec, bool(plan)),
        spec=SpecText(
            pid=spec.id,
            title=spec.title,
            summary=spec.summary,
            results=from_json(spec.results),
            conditions=from_json(spec.conditions),
            boundaries=from_json(spec.boundaries),
        ),
        open_drafts=[OpenDraft(pid=draft.id, kind=draft.kind, title=draft.title) for draft in open_proposals],
        approach=plan.approach if plan else None,
        actions=_plan_actions(call, project, plan.id) if plan else [],
    )


def _next_step_on_spec(spec: Spec, has_plan: bool) -> str:
    if not has_plan:
        return "It has no plan yet: propose one with draft_plan, or a change with draft_spec."
    change = "Propose a change with draft_spec or draft_plan."
    return change if spec.build_id else f"{change} Agents build it once a person publishes it."


def _plan_actions(call: Call, project: Project, plan_id: str) -> list[PlanActionText]:
    criteria_of = criteria.criteria_of_plan_by_action_id(call.tx, plan_id)
    before = drafts.prerequisites_by_action(call.tx, plan_id)

    def to_text(action: Action) -> PlanActionText:
        return PlanActionText(
            ref_code=ref_code(project.key, action.ref_number),
            label=action.label,
            state=action.state,
            description=action.description,
            area=action.area,
            criteria=[criterion.text for criterion in criteria_of.get(action.id, [])],
            prerequisites=[prerequisite.ref for prerequisite in before.get(action.id, [])],
            paths=from_json(action.paths),
        )

    return [to_text(action) for action in actions.of_plan(call.tx, plan_id)]


OPERATION = Operation(
    name="get_draft",
    title="Read a draft",
    description=(
        "With draft_id: what a person decided: state, remark, and each item with its decision and the text they "
        "accepted. With spec_id: the present spec and active plan, to read before you draft a change."
    ),
    input=GetDraft,
    output=Draft,
    scope=Scope.SPECS_WRITE,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
