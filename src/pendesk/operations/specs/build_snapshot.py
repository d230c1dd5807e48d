"""What publishing freezes, made the same way for the build itself and for its preview."""

from typing import Any, NamedTuple

from pendesk.domain.action import Action
from pendesk.domain.build import Build, BuildAction, brief_rev, to_publish
from pendesk.domain.criterion import Criterion
from pendesk.domain.project import Plan, Spec
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.store import actions, attachments, criteria
from pendesk.store.engine.json_text import from_json, to_json


class Frozen(NamedTuple):
    """`wanted` are the actions of the build, in its order; `left_out` are ideas and unfinished designs."""

    build: Build
    actions: list[BuildAction]
    wanted: list[Action]
    left_out: list[Action]
    criteria_of: dict[str, list[Criterion]]


def freeze(call: Call, spec: Spec, plan: Plan) -> Frozen:
    planned = actions.of_plan(call.tx, plan.id)
    wanted = to_publish(planned)
    criteria_of = criteria.of_plan(call.tx, plan.id)
    build = _build(call, spec, plan)
    left_out = [action for action in planned if action not in wanted]
    return Frozen(build, _frozen_actions(build, wanted, criteria_of), wanted, left_out, criteria_of)


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


def _frozen_actions(build: Build, wanted: list[Action], criteria_of: dict[str, list[Criterion]]) -> list[BuildAction]:
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
