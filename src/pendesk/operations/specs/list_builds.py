"""list_builds: what was published of a spec, and when."""

from typing import Annotated

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.fields import Revision, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.specs.find import find_spec
from pendesk.store import builds


class ListBuilds(Input):
    spec_id: SpecId
    cursor: Annotated[Revision, Meta(description="nextCursor of the page before.")] | None = None


class BuildRow(Output):
    pid: str
    build: str
    plan_id: str
    actions: int
    published_by: str
    published_at: str
    current: bool


class Builds(Output):
    builds: list[BuildRow]
    next_cursor: int | None = None


def run(call: Call, args: ListBuilds) -> Builds:
    spec = find_spec(call, args.spec_id)
    before = args.cursor if args.cursor is not None else spec.build_number + 1
    matches = builds.page(call.tx, spec.id, before, PAGE_ROWS + 1)
    page = matches[:PAGE_ROWS]
    rows = [
        BuildRow(
            pid=pid,
            build=f"B{number}",
            plan_id=plan_id,
            actions=count,
            published_by=publisher,
            published_at=to_iso(at),
            current=pid == spec.build_id,
        )
        for pid, number, plan_id, publisher, at, count in page
    ]
    return Builds(builds=rows, next_cursor=page[-1][1] if len(matches) > PAGE_ROWS else None)


OPERATION = Operation(
    name="list_builds",
    title="List builds",
    description=(
        "The builds of a spec, newest first: number, plan, how many actions, who published it and when. The current "
        "one is what agents claim from. Refused: 404 no such spec."
    ),
    input=ListBuilds,
    output=Builds,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
