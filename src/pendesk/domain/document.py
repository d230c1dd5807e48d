"""Documents and notes: Markdown texts of a project."""

from typing import NamedTuple


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


class Note(NamedTuple):
    id: str
    project_id: str
    title: str
    body: str
    revision: int
    created_by: str
    created_at: int
    updated_at: int
