"""compare_builds: what changed from one build of a spec to another, word by word."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.project import Spec
from pendesk.operations.fields import Revision, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.build_changes import BuildDiff, BuildWithActions, diff_builds
from pendesk.operations.specs.find import find_spec
from pendesk.store import builds

Number = Annotated[Revision, Meta(description="The build's number: 2 for B2.")]


class CompareBuilds(Input):
    spec_id: SpecId
    to_build: Number
    from_build: Annotated[Number, Meta(description="The older one; the one before to_build if left out.")] | None = None


class BuildsCompared(BuildDiff):
    before: str | None
    after: str


def run(call: Call, args: CompareBuilds) -> BuildsCompared:
    spec = find_spec(call, args.spec_id)
    older = args.from_build if args.from_build is not None else args.to_build - 1
    if older > args.to_build:
        raise BadField("from_build", f"is newer than B{args.to_build}; give the older one here.")
    after = _find_build(call, spec, args.to_build)
    before = _find_build(call, spec, older) if older else None
    diff = diff_builds(call, find_project(call, spec.project_id).key, before, after)
    return BuildsCompared(
        spec=diff.spec,
        actions=diff.actions,
        before=f"B{older}" if older else None,
        after=f"B{args.to_build}",
    )


def _find_build(call: Call, spec: Spec, number: int) -> BuildWithActions:
    build = builds.by_number(call.tx, spec.id, number)
    if build is None:
        raise NotFound("build of this spec", f"B{number}")
    return build, builds.actions(call.tx, build.id)


OPERATION = Operation(
    name="compare_builds",
    title="Compare builds",
    description=(
        "What changed from one build of a spec to another, word by word: the spec's texts, the plan's approach, and "
        "each action that was added, removed or changed. preview_build shows what publishing now would change. "
        "Refused: 404 no such spec or build, 422 the builds are the wrong way round."
    ),
    input=CompareBuilds,
    output=BuildsCompared,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
