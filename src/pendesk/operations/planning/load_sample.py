"""load_sample: the sample project, published and ready to claim; once."""

import json
from importlib import resources
from pathlib import Path

import msgspec

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning import load_project
from pendesk.store import projects

SAMPLE = "harbour.json"


class LoadSample(Input):
    pass


class SampleLoaded(Output):
    """loaded: whether this call made it; else it was there already, and nothing was changed."""

    loaded: bool
    key: str
    name: str
    specs: int = 0
    actions: int = 0
    published: int = 0


def run(call: Call, _asked: LoadSample) -> SampleLoaded:
    sample = read_sample()
    known = projects.by_key(call.tx, sample.project.key or "")
    if known is not None:
        return SampleLoaded(loaded=False, key=known.key, name=known.name)
    made = load_project.run(call, sample)
    return SampleLoaded(
        loaded=True,
        key=made.key,
        name=sample.project.name,
        specs=made.specs,
        actions=made.actions,
        published=made.published,
    )


def read_sample() -> load_project.LoadProject:
    """From the installed package; from the repository where it runs out of a clone."""
    places = [
        resources.files("pendesk") / "examples" / SAMPLE,
        Path(__file__).parents[4] / "examples" / SAMPLE,
    ]
    for place in places:
        if place.is_file():
            return msgspec.convert(json.loads(place.read_text("utf-8")), load_project.LoadProject)
    raise RuleBroken(
        "The sample project is not part of this installation. Install pendesk again.", code="sample_missing"
    )


OPERATION = Operation(
    name="load_sample",
    title="Load the sample project",
    description=(
        "Make the sample project: specs, plans and actions to try an agent on, published and ready to claim. Safe to "
        "call twice: what is there already is left as it is."
    ),
    input=LoadSample,
    output=SampleLoaded,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
