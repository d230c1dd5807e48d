"""publish_build: freeze the active plan as the next build, which agents work from."""

from typing import Any

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ref_code
from pendesk.domain.build import Build, BuildAction, brief_rev, check_publishable, to_publish
from pendesk.domain.criterion import Criterion
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.project import Plan, Spec
from pendesk.ids import new_id
from pendesk.operations.fields import IdempotencyKey, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning.find import find_plan, find_project, lock_spec
from pendesk.operations.planning.results import build_name
from pendesk.store import actions, attachments, builds, criteria, specs
from pendesk.store.json_text import from_json, to_json


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


def run(call: Call, asked: PublishBuild) -> BuildPublished:
    spec = lock_spec(call, asked.spec_id)
    plan = _active_plan(call, spec)
    key = find_project(call, spec.project_id).key
    wanted = to_publish(actions.of_plan(call.tx, plan.id))
    criteria_of = criteria.of_plan(call.tx, plan.id)
    refs = {action.id: ref_code(key, action.ref_number) for action in wanted}
    check_publishable([(refs[one.id], len(criteria_of.get(one.id, []))) for one in wanted if one.state != "wont_do"])
    build = _build(call, spec, plan)
    builds.add(call.tx, build, _freeze(build, wanted, criteria_of))
    specs.set_build(call.tx, spec.id, build.id, build.number)
    former = build_name(spec.build_number)
    told: dict[str, object] = {
        "before": former,
        "after": build_name(build.number),
        "planId": plan.id,
        "actions": list(refs.values()),
    }
    call.record(Event("build.published", build.id, spec.project_id, spec.id, data=told))
    return _published(build, list(refs.values()), former)


def _build(call: Call, spec: Spec, plan: Plan) -> Build:
    return Build(
        id=new_id(),
        spec_id=spec.id,
        plan_id=plan.id,
        number=spec.build_number + 1,
        snapshot=to_json({"spec": _spec_snapshot(call, spec), "plan": _plan_snapshot(plan)}),
        published_by=call.actor.user_id,
        published_at=call.now,
    )


def _published(build: Build, refs: list[str], former: str | None) -> BuildPublished:
    return BuildPublished(
        pid=build.id,
        build=f"B{build.number}",
        spec_id=build.spec_id,
        plan_id=build.plan_id,
        published_at=to_iso(build.published_at),
        actions=refs,
        supersedes=former,
    )


def _active_plan(call: Call, spec: Spec) -> Plan:
    if spec.active_plan_id is None:
        raise RuleBroken(
            "This spec has no plan yet. Create one with create_plan and give it actions, then publish.",
            code="no_active_plan",
        )
    return find_plan(call, spec.active_plan_id)


def _spec_snapshot(call: Call, spec: Spec) -> dict[str, Any]:
    return {
        "id": spec.id,
        "title": spec.title,
        "summary": spec.summary,
        "results": from_json(spec.results),
        "conditions": from_json(spec.conditions),
        "boundaries": from_json(spec.boundaries),
        "attachments": [
            {"id": one.id, "name": one.name, "mediaType": one.media_type, "sizeBytes": one.size_bytes}
            for one in attachments.of_spec(call.tx, spec.id)
        ],
        "revision": spec.revision,
    }


def _plan_snapshot(plan: Plan) -> dict[str, Any]:
    return {"id": plan.id, "title": plan.title, "approach": plan.approach, "revision": plan.revision}


def _freeze(build: Build, wanted: list[Action], criteria_of: dict[str, list[Criterion]]) -> list[BuildAction]:
    frozen = []
    for position, action in enumerate(wanted, 1):
        snapshot = to_json(_action_snapshot(action, criteria_of.get(action.id, [])))
        frozen.append(BuildAction(build.id, action.id, position, snapshot, brief_rev(build.snapshot, snapshot)))
    return frozen


def _action_snapshot(action: Action, present: list[Criterion]) -> dict[str, Any]:
    return {
        "label": action.label,
        "description": action.description,
        "area": action.area,
        "paths": from_json(action.paths),
        "criteria": [{"id": one.id, "text": one.text, "revision": one.revision} for one in present],
    }


OPERATION = Operation(
    name="publish_build",
    title="Publish a build",
    description=(
        "Freeze the spec's active plan, with its actions and criteria as they are now, as the next build (B1, B2, "
        "...). From then on its participants can claim the actions. Ideas (backlog) and unfinished designs (scope) "
        "stay out. Publishing again supersedes the build before; claims on it go on and are told. Refused: 422 "
        "nothing to publish, or actions without an acceptance criterion (named)."
    ),
    input=PublishBuild,
    output=BuildPublished,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
