"""Numbers of specs, documents and notes, and what they lead to."""

from pendesk.domain.text_ref import TextKind, parse_text_ref, text_ref_code
from pendesk.ids import parse_id
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx
from pendesk.store.projects import is_there

_TABLES = {TextKind.SPEC: "specs", TextKind.DOCUMENT: "documents", TextKind.NOTE: "notes"}

# The first number comes after those that came with an import.
NEXT = {
    kind: f"""
INSERT INTO text_ref_counters (workspace_id, project_id, kind, last)
VALUES (:workspace, :project_id, '{kind}', 1 + (
  SELECT coalesce(max(ref_number), 0) FROM {table} WHERE workspace_id = :workspace AND project_id = :project_id))
ON CONFLICT (workspace_id, project_id, kind) DO UPDATE SET last = text_ref_counters.last + 1
RETURNING last
"""
    for kind, table in _TABLES.items()
}

ID_OF_REF = {
    kind: f"""
SELECT t.id FROM projects p JOIN {table} t ON t.workspace_id = p.workspace_id AND t.project_id = p.id
WHERE p.workspace_id = :workspace AND p.key = :key AND t.ref_number = :number
"""
    for kind, table in _TABLES.items()
}

REFS = {
    kind: f"""
SELECT t.id, p.key, t.ref_number FROM {table} t
JOIN projects p ON p.workspace_id = t.workspace_id AND p.id = t.project_id
WHERE t.workspace_id = :workspace AND t.id IN (EACH :ids) AND {is_there("t.project_id")}
"""
    for kind, table in _TABLES.items()
}

NUMBER_REST = {
    kind: f"""
UPDATE {table} SET ref_number = numbered.place FROM (
  SELECT id, row_number() OVER (ORDER BY created_at, id) + (
    SELECT coalesce(max(ref_number), 0) FROM {table}
    WHERE workspace_id = :workspace AND project_id = :project_id) AS place
  FROM {table} WHERE workspace_id = :workspace AND project_id = :project_id AND ref_number IS NULL
) AS numbered WHERE {table}.workspace_id = :workspace AND {table}.id = numbered.id
"""
    for kind, table in _TABLES.items()
}


def allocate_number(tx: Tx, kind: TextKind, project_id: str) -> int:
    row = tx.one(NEXT[kind], project_id=project_id)
    assert row is not None
    number: int = row[0]
    return number


def resolve_id(tx: Tx, id_or_ref: str, *kinds: TextKind) -> str | None:
    """The id behind a pid or the ref of one of the kinds; a pid is taken at its word."""
    pid = parse_id(id_or_ref)
    if pid is not None:
        return pid
    ref = parse_text_ref(id_or_ref)
    row = tx.one(ID_OF_REF[ref.kind], key=ref.key, number=ref.number) if ref and ref.kind in kinds else None
    return row[0] if row else None


def ref_code_by_id(tx: Tx, kind: TextKind, ids: list[str]) -> dict[str, str]:
    rows = tx.all(REFS[kind], ids=to_json(ids)) if ids else []
    codes = {row[0]: text_ref_code(row[1], kind, row[2]) for row in rows}
    return {ident: code for ident, code in codes.items() if code is not None}


def number_imported(tx: Tx, project_id: str) -> None:
    """What comes from a file without numbers gets the next ones, the oldest first."""
    for statement in NUMBER_REST.values():
        tx.run(statement, project_id=project_id)
