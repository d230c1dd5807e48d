"""Queries on what came with an imported project: its people and its history."""

from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_visibility import Viewer
from pendesk.domain.people import Member, User
from pendesk.domain.seal import SEALED_FIELDS
from pendesk.store import people as accounts
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.events import visibility_condition_sql

PEOPLE = """
SELECT u.id, u.kind, u.name, coalesce(u.email, i.email) FROM users u
LEFT JOIN imported_people i ON i.workspace_id = :workspace AND i.user_id = u.id
WHERE u.id IN (EACH :ids) ORDER BY u.id
"""

# Now or once: who was removed is still the one who did it.
MEMBERS = "SELECT user_id FROM members WHERE workspace_id = :workspace AND user_id IN (EACH :ids)"

TAKEN = "SELECT id FROM users WHERE id IN (EACH :ids)"

BY_EMAIL = """
SELECT u.email, u.id FROM users u CROSS JOIN members m
WHERE u.email IN (EACH :emails) AND m.workspace_id = :workspace AND m.user_id = u.id AND m.removed_at IS NULL
"""

KEEP_EMAIL = """
INSERT INTO imported_people (workspace_id, user_id, email) VALUES (:workspace, :user_id, :email)
"""

STORAGE_KEY = "SELECT storage_key FROM attachments WHERE workspace_id = :workspace AND id = :id"

PARENT = "UPDATE documents SET parent_id = :parent_id WHERE workspace_id = :workspace AND id = :id"

_EVENT = ", ".join(f"e.{name}" for name in ("number", *SEALED_FIELDS[1:]))
EVENTS = f"""
SELECT {_EVENT} FROM imported_events e
WHERE e.workspace_id = :workspace AND e.project_id = :project_id AND e.number > :after
  AND {visibility_condition_sql("e.object_id")}
ORDER BY e.number LIMIT :limit
"""


def user_ids_kinds_names_and_emails(tx: Tx, user_ids: list[str]) -> list[Row]:
    """Id, kind, name and address."""
    return tx.all(PEOPLE, ids=to_json(user_ids))


def ids_ever_member_of_workspace(tx: Tx, user_ids: list[str]) -> set[str]:
    return {row[0] for row in tx.all(MEMBERS, ids=to_json(user_ids))}


def filter_existing_user_ids(tx: Tx, user_ids: list[str]) -> set[str]:
    """Those that are a user's, in whatever workspace."""
    return {row[0] for row in tx.all(TAKEN, ids=to_json(user_ids))}


def member_ids_by_email(tx: Tx, emails: list[str]) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(BY_EMAIL, emails=to_json(emails))}


def add_person_without_account(tx: Tx, user_id: str, kind: str, name: str, email: str | None) -> None:
    """Someone without an account: nothing lets them in, and their name stays with what they did."""
    accounts.add_user(tx, User(user_id, kind, None, name, None, tx.now))
    accounts.add_member(tx, Member(user_id, "viewer", tx.now, tx.now))
    if email is not None:
        tx.run(KEEP_EMAIL, user_id=user_id, email=email)


def storage_key(tx: Tx, attachment_id: str) -> str | None:
    row = tx.one(STORAGE_KEY, id=attachment_id)
    return row[0] if row else None


def set_parent(tx: Tx, document_id: str, parent_id: str) -> None:
    tx.run(PARENT, id=document_id, parent_id=parent_id)


def events(tx: Tx, project_id: str, after_number: int, viewer: Viewer, limit: int) -> list[LoggedEvent]:
    names = {"after": after_number, "limit": limit, "sees_all": int(viewer.all_events), "viewer_id": viewer.user_id}
    return [LoggedEvent(*row) for row in tx.all(EVENTS, project_id=project_id, **names)]
