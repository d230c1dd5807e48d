"""load_sample: the sample project, published and ready to claim; once. It is an export like any other."""

from importlib import resources
from pathlib import Path

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.operations.exchange.import_project import ImportProject, import_staged_project
from pendesk.operations.exchange.staging import stage_import_from_export
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import projects

SAMPLE = "harbour.pendesk.jsonl"
KEY = "HRB"


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


def run(call: Call, _args: LoadSample) -> SampleLoaded:
    existing = projects.by_key(call.tx, KEY)
    if existing is not None:
        return SampleLoaded(loaded=False, key=existing.key, name=existing.name)
    files = call.installation.files
    with sample_project_path().open("rb") as source:
        limit = call.limits.attachment_bytes
        staged = stage_import_from_export(
            files, source, as_copy=False, keep_attachments=True, max_attachment_bytes=limit
        )
    try:
        imported = import_staged_project(call, staged.received.key, ImportProject(receipt="", take_part=True))
    finally:
        files.remove(staged.received.key)
    return SampleLoaded(
        loaded=True,
        key=imported.key,
        name=imported.name,
        specs=imported.counts["spec"],
        actions=imported.counts["action"],
        published=imported.counts["build"],
    )


def sample_project_path() -> Path:
    """From the installed package; from the repository where it runs out of a clone."""
    places = [
        Path(str(resources.files("pendesk") / "examples" / SAMPLE)),
        Path(__file__).parents[4] / "examples" / SAMPLE,
    ]
    for place in places:
        if place.is_file():
            return place
    raise RuleBroken(
        "The sample project is not part of this installation. Install pendesk again.", code="sample_missing"
    )


OPERATION = Operation(
    name="load_sample",
    title="Load the sample project",
    description=(
        "Create the sample project: specs, plans and actions to try an agent on, published and ready to claim. Safe to "
        "call twice: what is there already is left as it is."
    ),
    input=LoadSample,
    output=SampleLoaded,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,
    run=run,
)
