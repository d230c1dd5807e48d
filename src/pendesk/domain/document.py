"""Documents and notes: Markdown texts of a project."""

from typing import NamedTuple

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DOCUMENT_DEPTH


class Document(NamedTuple):
    id: str
    project_id: str
    parent_id: str | None
    linked_action_id: str | None
    title: str
    body: str
    status_line: str
    revision: int
    created_by: str
    created_at: int
    updated_at: int
    # None only within an import; see text_ref.py.
    ref_number: int | None = None


class Note(NamedTuple):
    id: str
    project_id: str
    title: str
    body: str
    revision: int
    created_by: str
    created_at: int
    updated_at: int
    # None only within an import; see text_ref.py.
    ref_number: int | None = None


def check_can_be_moved_under(document: Document, new_ancestors: list[Document]) -> None:
    """`new_ancestors`: the new parent and all above it, nearest first."""
    if new_ancestors[0].project_id != document.project_id:
        raise BadField("parent_id", "is a document of another project; name one of the same.")
    if any(ancestor.id == document.id for ancestor in new_ancestors):
        raise BadField("parent_id", "is this document, or is below it; choose another one.")
    if len(new_ancestors) >= DOCUMENT_DEPTH:
        raise BadField("parent_id", f"is {len(new_ancestors)} levels deep already, and {DOCUMENT_DEPTH} is the limit.")
