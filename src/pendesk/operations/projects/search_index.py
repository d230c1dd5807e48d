"""What search reads of each noun: to be called after every change of its texts."""

from pendesk.domain.action import Action
from pendesk.domain.criterion import Criterion
from pendesk.domain.document import Document, Note
from pendesk.domain.project import Spec
from pendesk.operations.operation import Call
from pendesk.operations.revisions import revision_content
from pendesk.store import search


def index_spec(call: Call, spec: Spec) -> None:
    content = revision_content.spec_content(spec)
    lists = [*content["results"], *content["conditions"], *content["boundaries"]]
    search.save_index_entry(call.tx, "spec", spec.id, spec.project_id, spec.title, spec.summary, *lists)


def index_action(call: Call, action: Action, criteria: list[Criterion]) -> None:
    texts = [criterion.text for criterion in criteria]
    search.save_index_entry(call.tx, "action", action.id, action.project_id, action.label, action.description, *texts)


def index_document(call: Call, document: Document) -> None:
    texts = (document.status_line, document.body)
    search.save_index_entry(call.tx, "document", document.id, document.project_id, document.title, *texts)


def index_note(call: Call, note: Note) -> None:
    search.save_index_entry(call.tx, "note", note.id, note.project_id, note.title, note.body)
