"""publish_build: freeze the active plan as the next build, which agents work from."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.build import Build, BuildAction, check_publishable
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import BuildPublishedData
from pendesk.domain.project import Plan, Spec
from pendesk.operations.fields import IdempotencyKey, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.build_snapshot import take_snapshot
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.operations.specs.results import build_name_or_none
from pendesk.store import builds, claims, session_news, specs


class PublishBuild(Input):
    spec_id: SpecId
    idempotency_key: IdempotencyKey | None = None


class BuildPublished(Output):
    pid: str
    build: str
    spec_id: str
    plan_id: str
    published_at: str
    actions: list[str]
    supersedes: str | None = None


def run(call: Call, args: PublishBuild) -> BuildPublished:
    spec = find_and_lock_spec(call, args.spec_id)
    plan = _require_active_plan(call, spec)
    key = find_project(call, spec.project_id).key
    frozen = take_snapshot(call, spec, plan)
    refs = {action.id: ref_code(key, action.ref_number) for action in frozen.published}
    planned = [action for action in frozen.published if action.state != "wont_do"]
    without_criteria = [
        action for action in planned if action.state != "done" and not frozen.criteria_by_action.get(action.id)
    ]
    check_publishable([refs[action.id] for action in planned], [refs[action.id] for action in without_criteria])
    build = frozen.build
    builds.add(call.tx, build, frozen.actions)
    specs.set_current_build(call.tx, spec.id, build.id, build.number)
    previous = build_name_or_none(spec.build_number)
    after = build_name_or_none(build.number)
    data = BuildPublishedData(
        before=previous, after=after, plan_id=plan.id, actions=list(refs.values()), title=spec.title
    )
    event_id = call.record_returning_id(Event("build.published", build.id, spec.project_id, spec.id, data=data))
    for session_id in _session_ids_with_changed_brief(call, spec.id, frozen.actions):
        session_news.add(call.tx, session_id, event_id)
    return _published_build_result(build, list(refs.values()), previous)


def _session_ids_with_changed_brief(call: Call, spec_id: str, published: list[BuildAction]) -> list[str]:
    """Those at work on its actions who have read, or were to read, another brief."""
    revs = {action.action_id: action.brief_rev for action in published}
    briefs = claims.briefs_of_sessions_at_work(call.tx, spec_id)
    return sorted({brief.session_id for brief in briefs if brief.brief_rev != revs.get(brief.action_id)})


def _published_build_result(build: Build, action_refs: list[str], previous_build_name: str | None) -> BuildPublished:
    return BuildPublished(
        pid=build.id,
        build=f"B{build.number}",
        spec_id=build.spec_id,
        plan_id=build.plan_id,
        published_at=to_iso(build.published_at),
        actions=action_refs,
        supersedes=previous_build_name,
    )


def _require_active_plan(call: Call, spec: Spec) -> Plan:
    if spec.active_plan_id is None:
        raise RuleBroken(
            "This spec has no plan yet. Create one, give it actions, then publish.",
            code="no_active_plan",
        )
    return find_plan(call, spec.active_plan_id)


OPERATION = Operation(
    name="publish_build",
    title="Publish a build",
    description=(
        "Freeze the spec's active plan, with its actions and criteria as they are now, as the next build (B1, B2, "
        "...). From then on its participants can claim the actions. Ideas (backlog) and unfinished designs (scope) "
        "stay out. Publishing again supersedes the build before; claims on it continue and are notified. Refused: 422 "
        "nothing to publish, or actions without an acceptance criterion (named)."
    ),
    input=PublishBuild,
    output=BuildPublished,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
