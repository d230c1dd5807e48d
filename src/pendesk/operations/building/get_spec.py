"""get_spec: one published spec, whole."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import building_word, ref_code
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import PLAN_ACTIONS
from pendesk.ids import parse_id
from pendesk.operations.building.get_action_brief import CriterionBrief, PlanBrief, SpecBrief, spec_brief
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import builds, projects, specs
from pendesk.store.json_text import from_json


class GetSpec(Input):
    spec_pid: Annotated[Ident, Meta(description="The spec's pid from list_available_specs.")]


class SpecAction(Output):
    pid: str
    ref_code: str
    label: str
    description: str
    area: str
    status: str
    claimed_by: str | None
    acceptance_criteria: list[CriterionBrief]


class WholeSpec(SpecBrief):
    build: str
    plan: PlanBrief
    actions: list[SpecAction]


def run(call: Call, asked: GetSpec) -> WholeSpec:
    pid = parse_id(asked.spec_pid)
    spec = specs.by_id(call.tx, pid) if pid else None
    if spec is None or spec.build_id is None or not specs.is_participant(call.tx, spec.id, call.actor.user_id):
        raise NotFound("published spec", asked.spec_pid)
    build = builds.by_id(call.tx, spec.build_id)
    project = projects.by_id(call.tx, spec.project_id)
    assert build is not None
    assert project is not None
    frozen = from_json(build.snapshot)
    brief = spec_brief(frozen["spec"])
    return WholeSpec(
        **{name: getattr(brief, name) for name in brief.__struct_fields__},
        build=f"B{build.number}",
        plan=PlanBrief(approach=frozen["plan"]["approach"]),
        actions=_actions(call, build.id, project.key),
    )


def _actions(call: Call, build_id: str, key: str) -> list[SpecAction]:
    status = specs.build_criteria(call.tx, build_id)
    found = []
    for pid, number, snapshot, state, holder in specs.build_actions(call.tx, build_id, 0, PLAN_ACTIONS):
        texts = from_json(snapshot)
        found.append(
            SpecAction(
                pid=pid,
                ref_code=ref_code(key, number),
                label=texts["label"],
                description=texts["description"],
                area=texts["area"],
                status=building_word(state),
                claimed_by=holder,
                acceptance_criteria=[
                    CriterionBrief(id=one["id"], text=one["text"], status=status[one["id"]])
                    for one in texts["criteria"]
                    if one["id"] in status
                ],
            )
        )
    return found


OPERATION = Operation(
    name="get_spec",
    title="Read a spec",
    description=(
        "One published spec, whole: what it is for, results, conditions, boundaries, the plan, and every action with "
        "its acceptance criteria. Use it to choose between actions; get_action_brief has what you need to build one."
    ),
    input=GetSpec,
    output=WholeSpec,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
