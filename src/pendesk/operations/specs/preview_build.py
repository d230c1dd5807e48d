"""preview_build: what agents would read after publishing now, what is missing, what changes, and who is told."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.claim import Claim
from pendesk.domain.errors import NotFound
from pendesk.domain.prerequisite import is_resolved
from pendesk.domain.project import Plan, Project, Spec
from pendesk.domain.readiness import BuildDraft, BuildRemark, DraftedAction, readiness_remarks
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.history import ClaimState, to_claim_state
from pendesk.operations.availability import availability_fields, relate
from pendesk.operations.building.brief_results import Brief
from pendesk.operations.building.get_spec import WholeSpec, to_spec_action, whole_spec_from_build
from pendesk.operations.building.make_brief import make_brief, sibling_briefs
from pendesk.operations.building.reported_work import NOBODY, existing_records
from pendesk.operations.fields import ActionId, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.build_changes import BuildDiff, BuildWithActions, diff_builds
from pendesk.operations.specs.build_snapshot import BuildSnapshot, take_snapshot
from pendesk.operations.specs.drafted_texts import drafted_texts
from pendesk.operations.specs.find import find_spec
from pendesk.operations.specs.results import build_name_or_none
from pendesk.store import agent_sessions, availability, builds, criteria, drafts, participants
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
    changes = _diff_from_current_build(call, project, spec, frozen) if frozen else None
    remarks = readiness_remarks(_make_build_draft(call, project, spec, plan, frozen, changes))
    return BuildPreview(
        build=f"B{spec.build_number + 1}",
        current=build_name_or_none(spec.build_number),
        ready=all(remark.level != "missing" for remark in remarks),
        remarks=[_remark_row(remark) for remark in remarks],
        at_work=_claimed_actions(call, project, spec),
        changes=changes,
        spec=_whole_spec_from_snapshot(call, project, frozen) if frozen else None,
        brief=_brief_from_snapshot(call, frozen, args.action_id) if args.action_id else None,
    )


def _diff_from_current_build(call: Call, project: Project, spec: Spec, snapshot: BuildSnapshot) -> BuildDiff:
    current = builds.by_id(call.tx, spec.build_id) if spec.build_id else None
    before: BuildWithActions | None = (current, builds.actions(call.tx, current.id)) if current else None
    return diff_builds(call, project.key, before, (snapshot.build, snapshot.actions))


def _make_build_draft(
    call: Call,
    project: Project,
    spec: Spec,
    plan: Plan | None,
    snapshot: BuildSnapshot | None,
    changes: BuildDiff | None,
) -> BuildDraft:
    people = participants.invited_ids_names_and_kinds(call.tx, spec.id)
    unchanged = spec.build_number and changes is not None and not changes.spec and not changes.actions
    return BuildDraft(
        summary=spec.summary,
        results=from_json(spec.results),
        conditions=from_json(spec.conditions),
        boundaries=from_json(spec.boundaries),
        approach=plan.approach if plan else None,
        actions=_unfinished_actions_in_snapshot(call, project, snapshot) if snapshot else [],
        left_out=[ref_code(project.key, action.ref_number) for action in snapshot.left_out] if snapshot else [],
        everyone_takes_part=participants.does_everyone_take_part(call.tx),
        participants=len(people),
        agents=sum(kind == "agent" for _, _, kind in people),
        project_state=project.state,
        unchanged_since=build_name_or_none(spec.build_number) if unchanged else None,
        texts=drafted_texts(project.key, snapshot) if snapshot else [],
    )


def _unfinished_actions_in_snapshot(call: Call, project: Project, snapshot: BuildSnapshot) -> list[DraftedAction]:
    plan_id = snapshot.build.plan_id
    questions = drafts.open_question_count_by_action(call.tx, plan_id)
    before = drafts.prerequisites_by_action(call.tx, plan_id)
    return [
        DraftedAction(
            ref=ref_code(project.key, action.ref_number),
            description=action.description,
            criteria=[item.text for item in snapshot.criteria_by_action.get(action.id, [])],
            open_questions=questions.get(action.id, 0),
            stuck_behind=[item.ref for item in before.get(action.id, []) if _is_never_done(item)],
        )
        for action in snapshot.published
        if action.state not in ("wont_do", "done")
    ]


def _is_never_done(prerequisite: drafts.Prerequisite) -> bool:
    """As things are: it holds back, and nobody can claim it."""
    return prerequisite.state in NEVER_DONE and not is_resolved(prerequisite.state, prerequisite.drop_accepted_at)


def _whole_spec_from_snapshot(call: Call, project: Project, snapshot: BuildSnapshot) -> WholeSpec:
    published_ids = [action.id for action in snapshot.published]
    histories = {history.criterion_id: history for history in criteria.evidence_histories(call.tx, published_ids)}
    claims = drafts.claim_and_holder_name_by_action_id(call.tx, snapshot.build.plan_id)
    rows = [
        (
            action.id,
            action.ref_number,
            built.snapshot,
            action.state,
            _live_claim_holder_id(claims, action.id, call.now),
            built.position,
        )
        for action, built in zip(snapshot.published, snapshot.actions, strict=True)
    ]
    # As it will be once this is published.
    standing = availability.of_actions(call.tx, published_ids, call.actor.user_id).values()
    fields = availability_fields(call, relate(call, [row._replace(published=True) for row in standing]))
    return whole_spec_from_build(
        snapshot.build, [to_spec_action(row, project.key, histories, fields[row[0]]) for row in rows]
    )


def _live_claim_holder_id(
    claim_and_holder_name_by_action_id: dict[str, tuple[Claim, str]], action_id: str, now: int
) -> str | None:
    claim_row = claim_and_holder_name_by_action_id.get(action_id)
    live = claim_row is not None and claim_row[0].state == "active" and claim_row[0].expires_at > now
    return claim_row[0].user_id if claim_row and live else None


def _brief_from_snapshot(call: Call, snapshot: BuildSnapshot | None, action_id_or_ref: str) -> Brief:
    facts = find_action(call, action_id_or_ref)
    built = (
        next((action for action in snapshot.actions if action.action_id == facts.action.id), None) if snapshot else None
    )
    if snapshot is None or built is None:
        raise NotFound("action of the active plan that would be published", action_id_or_ref)
    shared = from_json(snapshot.build.snapshot)
    texts = BriefTexts(shared["spec"], shared["plan"], from_json(built.snapshot), built.brief_rev)
    histories = criteria.evidence_history_by_criterion_id(call.tx, facts.action.id)
    brief = make_brief(call, facts, texts, histories, existing_records(call, facts, NOBODY))
    brief.sibling_actions = sibling_briefs(call, facts)
    return brief


def _claimed_actions(call: Call, project: Project, spec: Spec) -> list[AtWorkRow]:
    rows = drafts.open_claims_of_spec(call.tx, spec.id)
    agents = agent_sessions.labels_by_id(call.tx, (row.claim.session_id for row in rows))
    return [
        AtWorkRow(
            ref_code=ref_code(project.key, row.ref_number),
            label=row.label,
            claim=to_claim_state(call, row.claim, row.holder, agents.get(row.claim.session_id or "")),
        )
        for row in rows
    ]


def _remark_row(remark: BuildRemark) -> RemarkRow:
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
    kind=Kind.LONG_READ,
    run=run,
)
