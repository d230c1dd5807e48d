"""0042: specs, documents and notes of before get their numbers in the order they were created, on both engines."""

from pendesk.domain.text_ref import TextKind
from pendesk.store import text_refs
from tests.store.engine.old_database import migrated

BEFORE = 41


def old_rows():
    yield "INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'W', 0)"
    for key in ("PEN", "OTH"):
        yield (
            "INSERT INTO projects (workspace_id, id, key, name, description, state, last_ref, revision, created_by, "
            f"created_at, updated_at) VALUES ('w', '{key}', '{key}', 'P', '', 'active', 1, 1, 'u', 0, 0)"
        )
    for ident, project, created_at in (("b", "PEN", 1), ("a", "PEN", 2), ("c", "OTH", 3)):
        yield (
            "INSERT INTO notes (workspace_id, id, project_id, title, body, revision, created_by, created_at, "
            f"updated_at) VALUES ('w', '{ident}', '{project}', 'N', '', 1, 'u', {created_at}, 0)"
        )


async def test_notes_are_numbered_by_age_in_their_project_and_new_ones_follow(old_target):
    def read(tx):
        return text_refs.ref_code_by_id(tx, TextKind.NOTE, ["a", "b", "c"])

    async with migrated(old_target, BEFORE, old_rows()) as store:
        assert await store.read("w", read) == {"b": "PEN-N1", "a": "PEN-N2", "c": "OTH-N1"}
        next_numbers = await store.write(
            "w", lambda tx: [text_refs.allocate_number(tx, kind, "PEN") for kind in TextKind]
        )
    assert next_numbers == [1, 1, 3]
