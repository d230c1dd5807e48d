"""What publishing freezes, made the same way for the build itself and for its preview."""

from typing import Any, NamedTuple

from pendesk.domain.action import Action
from pendesk.domain.build import Build, BuildAction, brief_revision_hash, publishable_actions
from pendesk.domain.criterion import Criterion
from pendesk.domain.project import Plan, Spec
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.store import actions, attachments, criteria
from pendesk.store.engine.json_text import from_json, to_json


class BuildSnapshot(NamedTuple):
    """`published` are the actions of the build, in its order; `left_out` are ideas and unfinished designs."""

    build: Build
    actions: list[BuildAction]
    published: list[Action]
    left_out: list[Action]
    criteria_by_action: dict[str, list[Criterion]]


def take_snapshot(call: Call, spec: Spec, plan: Plan) -> BuildSnapshot:
    planned = actions.of_plan(call.tx, plan.id)
    published = publishable_actions(planned)
    criteria_of = criteria.criteria_of_plan_by_action_id(call.tx, plan.id)
    build = _new_build(call, spec, plan)
    left_out = [action for action in planned if action not in published]
    return BuildSnapshot(build, _new_build_actions(build, published, criteria_of), published, left_out, criteria_of)


def _new_build(call: Call, spec: Spec, plan: Plan) -> Build:
    return Build(
        id=new_id(),
        spec_id=spec.id,
        plan_id=plan.id,
        number=spec.build_number + 1,
        snapshot=to_json({"spec": _spec_snapshot(call, spec), "plan": _snapshot_of_plan(plan)}),
        published_by=call.actor.user_id,
        published_at=call.now,
    )


def _spec_snapshot(call: Call, spec: Spec) -> dict[str, Any]:
    return {
        "id": spec.id,
        "title": spec.title,
        "summary": spec.summary,
        "results": from_json(spec.results),
        "conditions": from_json(spec.conditions),
        "boundaries": from_json(spec.boundaries),
        "attachments": [
            {
                "id": attachment.id,
                "name": attachment.name,
                "mediaType": attachment.media_type,
                "sizeBytes": attachment.size_bytes,
            }
            for attachment in attachments.of_spec(call.tx, spec.id)
        ],
        "revision": spec.revision,
    }


def _snapshot_of_plan(plan: Plan) -> dict[str, Any]:
    return {"id": plan.id, "title": plan.title, "approach": plan.approach, "revision": plan.revision}


def _new_build_actions(
    build: Build, published: list[Action], criteria_by_action: dict[str, list[Criterion]]
) -> list[BuildAction]:
    frozen = []
    for position, action in enumerate(published, 1):
        snapshot = to_json(_action_snapshot(action, criteria_by_action.get(action.id, [])))
        frozen.append(
            BuildAction(build.id, action.id, position, snapshot, brief_revision_hash(build.snapshot, snapshot))
        )
    return frozen


def _action_snapshot(action: Action, action_criteria: list[Criterion]) -> dict[str, Any]:
    return {
        "label": action.label,
        "description": action.description,
        "area": action.area,
        "paths": from_json(action.paths),
        "criteria": [
            {"id": criterion.id, "text": criterion.text, "revision": criterion.revision}
            for criterion in action_criteria
        ],
    }
