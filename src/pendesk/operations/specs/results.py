"""Specs, as operations answer with them."""

from pendesk.clock import to_iso
from pendesk.domain.project import Spec
from pendesk.operations.operation import Call, Output
from pendesk.operations.text_refs import ref_code_of_text
from pendesk.store.engine.json_text import from_json


class SpecResult(Output):
    pid: str
    ref_code: str | None
    project_id: str
    goal_id: str | None
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    active_plan_id: str | None
    build: str | None
    revision: int
    created_at: str
    updated_at: str


def build_name_or_none(number: int) -> str | None:
    return f"B{number}" if number else None


def spec_result(call: Call, spec: Spec) -> SpecResult:
    return SpecResult(
        pid=spec.id,
        ref_code=ref_code_of_text(call, spec),
        project_id=spec.project_id,
        goal_id=spec.goal_id,
        title=spec.title,
        summary=spec.summary,
        results=from_json(spec.results),
        conditions=from_json(spec.conditions),
        boundaries=from_json(spec.boundaries),
        active_plan_id=spec.active_plan_id,
        build=build_name_or_none(spec.build_number),
        revision=spec.revision,
        created_at=to_iso(spec.created_at),
        updated_at=to_iso(spec.updated_at),
    )
