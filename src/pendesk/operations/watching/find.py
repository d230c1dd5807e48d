"""What may be watched, by what a caller names it with. What cannot be seen is as what is not there."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.errors import NotFound
from pendesk.domain.text_ref import TextKind
from pendesk.domain.watching import Watched
from pendesk.ids import parse_id
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, projects, specs, text_refs

WatchedId = Annotated[
    Ident, Meta(description="A project's pid or key, a spec's pid or ref, or an action's pid or ref code.")
]


def find_watched(call: Call, ident: str) -> Watched:
    pid = parse_id(ident)
    if pid is None and "-" not in ident:
        project = find_project(call, ident)
        return Watched("project", project.id, project.id)
    spec_id = text_refs.resolve_id(call.tx, ident, TextKind.SPEC)
    spec = specs.by_id(call.tx, spec_id) if spec_id else None
    if spec is not None:
        return Watched("spec", spec.id, spec.project_id)
    facts = actions.facts(call.tx, pid) if pid else find_action(call, ident)
    if facts is not None:
        return Watched("action", facts.action.id, facts.action.project_id, facts.action.spec_id)
    if pid is not None and projects.by_id(call.tx, pid) is not None:
        return Watched("project", pid, pid)
    raise NotFound("action", ident)
