"""create_document: a Markdown text of a project."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Document
from pendesk.domain.errors import BadField
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.project import Project
from pendesk.domain.text_ref import TextKind
from pendesk.ids import new_id
from pendesk.operations.actions.find import find_task_of_project
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.documents.find import find_document
from pendesk.operations.documents.results import DocumentResult, document_result
from pendesk.operations.fields import IdempotencyKey, Ident, Markdown, ProjectId, StatusLine, TaskId, Title
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.projects.find import find_project
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import documents, text_refs


class CreateDocument(Input):
    project_id: ProjectId
    title: Title
    body: Markdown = ""
    status_line: StatusLine = ""
    linked_task_id: Annotated[TaskId, Meta(description="The task it is about.")] | None = None
    parent_id: Annotated[Ident, Meta(description="Its parent document.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateDocument) -> DocumentResult:
    project = find_project(call, args.project_id)
    document = Document(
        id=new_id(),
        project_id=project.id,
        parent_id=_resolve_parent_id_in_project(call, project, args.parent_id),
        linked_action_id=(
            find_task_of_project(call, project, args.linked_task_id, "linked_task_id").id
            if args.linked_task_id
            else None
        ),
        title=args.title,
        body=args.body,
        status_line=args.status_line,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
        ref_number=text_refs.allocate_number(call.tx, TextKind.DOCUMENT, project.id),
    )
    documents.add(call.tx, document)
    edits.save_first_revision(call, document.id, revision_content.document_content(document))
    search_index.index_document(call, document)
    data = TitledData(title=document.title)
    call.record(Event("document.created", document.id, project.id, action_id=document.linked_action_id, data=data))
    return truncate_echoed_field_for_agent(call, document_result(call, document), "body")


def _resolve_parent_id_in_project(call: Call, project: Project, parent_id: str | None) -> str | None:
    if parent_id is None:
        return None
    parent = find_document(call, parent_id)
    if parent.project_id != project.id:
        raise BadField("parent_id", f"is a document of another project; name one of {project.key}.")
    return parent.id


OPERATION = Operation(
    name="create_document",
    title="Create a document",
    description=(
        "Add a Markdown document to a project: designs and decisions that people comment on; create_note is for "
        "jottings. Refused: 422 parent or task is another project's."
    ),
    input=CreateDocument,
    output=DocumentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
