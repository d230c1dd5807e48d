"""list_notes: the notes of a project, without their bodies."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Note
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.text_ref import TextKind, text_ref_code
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_within_token_limit, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.store import notes


class ListNotes(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class NoteRow(Output):
    """ref_code: for people; agents read one whole by its pid."""

    pid: str
    title: str
    revision: int
    updated_at: str
    ref_code: str | None = None


class Notes(Output):
    notes: list[NoteRow]
    next_cursor: str | None = None


def run(call: Call, args: ListNotes) -> Notes:
    project = find_project(call, args.project_id)
    matches = notes.page(call.tx, project.id, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    key = None if is_agent_call(call) else project.key
    page, next_cursor = page_within_token_limit(
        call, matches, lambda note: _to_note_row(note, key), lambda note: note.id
    )
    return Notes(notes=page, next_cursor=next_cursor)


def _to_note_row(note: Note, project_key: str | None) -> NoteRow:
    return NoteRow(
        pid=note.id,
        title=note.title,
        revision=note.revision,
        updated_at=to_iso(note.updated_at),
        ref_code=text_ref_code(project_key, TextKind.NOTE, note.ref_number) if project_key else None,
    )


OPERATION = Operation(
    name="list_notes",
    title="List notes",
    description="The notes of a project, oldest first, titles only; get_note has one whole.",
    input=ListNotes,
    output=Notes,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
