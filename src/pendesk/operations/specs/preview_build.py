"""preview_build: what agents would read after publishing now, what is missing, what changes, and who is told."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.claim import Claim
from pendesk.domain.errors import NotFound
from pendesk.domain.project import Plan, Project, Spec
from pendesk.domain.readiness import Draft, DraftedAction, Remark, judge
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.history import ClaimState, claim_state
from pendesk.operations.building.get_action_brief import Brief, brief_of
from pendesk.operations.building.get_spec import WholeSpec, spec_action, whole_spec
from pendesk.operations.fields import ActionId, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.build_changes import BuildDiff, Published, build_diff
from pendesk.operations.specs.build_snapshot import BuildSnapshot, take_snapshot
from pendesk.operations.specs.find import find_spec
from pendesk.operations.specs.results import build_name
from pendesk.store import builds, criteria, drafts, specs
from pendesk.store.builds import BriefTexts
from pendesk.store.engine.json_text import from_json

NEVER_DONE = ("backlog", "scope", "wont_do")


class PreviewBuild(Input):
    spec_id: SpecId
    action_id: Annotated[ActionId, Meta(description="Also the brief of this action.")] | None = None


class RemarkRow(Output):
    """level: missing (publishing is refused), weak (agents would guess) or note."""

    level: str
    code: str
    message: str
    ref_code: str | None = None


class AtWorkRow(Output):
    """Whoever has an action of the spec: they go on, and are told that the brief changed."""

    ref_code: str
    label: str
    claim: ClaimState


class BuildPreview(Output):
    """spec: what get_spec will answer, all actions at once; brief: what get_action_brief will."""

    build: str
    current: str | None
    ready: bool
    remarks: list[RemarkRow]
    at_work: list[AtWorkRow]
    changes: BuildDiff | None = None
    spec: WholeSpec | None = None
    brief: Brief | None = None


def run(call: Call, args: PreviewBuild) -> BuildPreview:
    spec = find_spec(call, args.spec_id)
    project = find_project(call, spec.project_id)
    plan = find_plan(call, spec.active_plan_id) if spec.active_plan_id else None
    frozen = take_snapshot(call, spec, plan) if plan else None
    changes = _changes(call, project, spec, frozen) if frozen else None
    remarks = judge(_draft(call, project, spec, plan, frozen, changes))
    return BuildPreview(
        build=f"B{spec.build_number + 1}",
        current=build_name(spec.build_number),
        ready=all(remark.level != "missing" for remark in remarks),
        remarks=[_remark(remark) for remark in remarks],
        at_work=_at_work(call, project, spec),
        changes=changes,
        spec=_spec_after(call, project, frozen) if frozen else None,
        brief=_brief(call, frozen, args.action_id) if args.action_id else None,
    )


def _changes(call: Call, project: Project, spec: Spec, frozen: BuildSnapshot) -> BuildDiff:
    current = builds.by_id(call.tx, spec.build_id) if spec.build_id else None
    before: Published | None = (current, builds.actions(call.tx, current.id)) if current else None
    return build_diff(call, project.key, before, (frozen.build, frozen.actions))


def _draft(
    call: Call, project: Project, spec: Spec, plan: Plan | None, frozen: BuildSnapshot | None, changes: BuildDiff | None
) -> Draft:
    people = specs.participants(call.tx, spec.id)
    unchanged = spec.build_number and changes is not None and not changes.spec and not changes.actions
    return Draft(
        summary=spec.summary,
        results=from_json(spec.results),
        conditions=from_json(spec.conditions),
        boundaries=from_json(spec.boundaries),
        approach=plan.approach if plan else None,
        actions=_drafted(call, project, frozen) if frozen else [],
        left_out=[ref_code(project.key, action.ref_number) for action in frozen.left_out] if frozen else [],
        participants=len(people),
        agents=sum(kind == "agent" for _, _, kind in people),
        project_state=project.state,
        unchanged_since=build_name(spec.build_number) if unchanged else None,
    )


def _drafted(call: Call, project: Project, frozen: BuildSnapshot) -> list[DraftedAction]:
    plan_id = frozen.build.plan_id
    questions = drafts.open_questions_of_plan(call.tx, plan_id)
    before = drafts.prerequisites_of_plan(call.tx, plan_id)
    return [
        DraftedAction(
            ref=ref_code(project.key, action.ref_number),
            description=action.description,
            criteria=[item.text for item in frozen.criteria_of.get(action.id, [])],
            open_questions=questions.get(action.id, 0),
            stuck_behind=[item.ref for item in before.get(action.id, []) if item.state in NEVER_DONE],
        )
        for action in frozen.published
        if action.state not in ("wont_do", "done")
    ]


def _spec_after(call: Call, project: Project, frozen: BuildSnapshot) -> WholeSpec:
    status = {
        criterion.id: criterion.status
        for action_criteria in frozen.criteria_of.values()
        for criterion in action_criteria
    }
    claims = drafts.claims_of_plan(call.tx, frozen.build.plan_id)
    rows = [
        (
            action.id,
            action.ref_number,
            built.snapshot,
            action.state,
            _holder(claims, action.id, call.now),
            built.position,
        )
        for action, built in zip(frozen.published, frozen.actions, strict=True)
    ]
    return whole_spec(frozen.build, [spec_action(row, project.key, status) for row in rows])


def _holder(claims: dict[str, tuple[Claim, str]], action_id: str, now: int) -> str | None:
    claim_row = claims.get(action_id)
    live = claim_row is not None and claim_row[0].state == "active" and claim_row[0].expires_at > now
    return claim_row[0].user_id if claim_row and live else None


def _brief(call: Call, frozen: BuildSnapshot | None, ident: str) -> Brief:
    facts = find_action(call, ident)
    built = next((action for action in frozen.actions if action.action_id == facts.action.id), None) if frozen else None
    if frozen is None or built is None:
        raise NotFound("action of the active plan that would be published", ident)
    shared = from_json(frozen.build.snapshot)
    texts = BriefTexts(shared["spec"], shared["plan"], from_json(built.snapshot), built.brief_rev)
    return brief_of(call, facts, texts, criteria.of_action(call.tx, facts.action.id))


def _at_work(call: Call, project: Project, spec: Spec) -> list[AtWorkRow]:
    return [
        AtWorkRow(
            ref_code=ref_code(project.key, row.ref_number),
            label=row.label,
            claim=claim_state(row.claim, row.holder, call.now),
        )
        for row in drafts.at_work(call.tx, spec.id)
    ]


def _remark(remark: Remark) -> RemarkRow:
    return RemarkRow(level=remark.level, code=remark.code, message=remark.message, ref_code=remark.ref)


OPERATION = Operation(
    name="preview_build",
    title="Preview a build",
    description=(
        "What publish_build would publish now, without publishing: everything that is missing or weak, what changes "
        "since the current build (word by word), who is working and will be notified, and the words that get_spec "
        "(and, for action_id, get_action_brief) will give to agents. Refused: 404 no such spec, or no such action in "
        "it."
    ),
    input=PreviewBuild,
    output=BuildPreview,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
