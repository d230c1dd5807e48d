"""What search reads of an imported project, made anew from its texts."""

from collections.abc import Callable, Iterator
from typing import Any

from pendesk.operations.operation import Call
from pendesk.operations.projects import search_index
from pendesk.store import actions, criteria, documents, notes, specs
from pendesk.store.engine.tx import Tx
from pendesk.store.portable.rows import ROWS_PER_STEP


def index_project_for_search(call: Call, project_id: str) -> None:
    for page in _read_pages(call.tx, project_id, specs.page):
        for spec in page:
            search_index.index_spec(call, spec)
            call.tx.let_others_write()
    for page in _read_pages(call.tx, project_id, lambda tx, *args: actions.page(tx, args[0], None, *args[1:])):
        for action in page:
            # One at a time: PostgreSQL has no statistics of rows that are not saved yet, and plans a join badly.
            search_index.index_action(call, action, criteria.of_action(call.tx, action.id))
            call.tx.let_others_write()
    for page in _read_pages(call.tx, project_id, documents.page):
        for document in page:
            search_index.index_document(call, document)
            call.tx.let_others_write()
    for page in _read_pages(call.tx, project_id, notes.page):
        for note in page:
            search_index.index_note(call, note)
            call.tx.let_others_write()


def _read_pages(tx: Tx, project_id: str, read_page: Callable[..., list[Any]]) -> Iterator[list[Any]]:
    page = read_page(tx, project_id, "", ROWS_PER_STEP)
    while page:
        yield page
        page = read_page(tx, project_id, page[-1].id, ROWS_PER_STEP)
