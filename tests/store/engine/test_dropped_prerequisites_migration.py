"""0022: about what was dropped before, nobody has decided, so what waits for it stands in the inbox."""

import pytest

from pendesk.store import actions, prerequisites
from tests.store.engine.old_database import migrated

BEFORE = 21
ACTION = (
    "INSERT INTO actions (workspace_id, id, project_id, ref_number, label, description, area, paths, state, priority, "
    "position, fence, news_seq, revision, created_by, created_at, updated_at) VALUES "
    "('w', 'a{number}', 'p', {number}, 'L', '', '', '[]', '{state}', 0, 0, 0, 0, 1, 'u', 0, 0)"
)
EDGE = "INSERT INTO edges VALUES ('w', 'e{after}', 'p', 'a1', 'a{after}', 'blocks', NULL, 'a1', 'a{after}', 'u', 0)"


def old_rows():
    """a1 was dropped; a2 waits for it, a3 came after it and is done."""
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    yield (
        "INSERT INTO projects (workspace_id, id, key, name, description, state, last_ref, revision, created_by, "
        "created_at, updated_at) VALUES ('w', 'p', 'PEN', 'Pendesk', '', 'active', 3, 1, 'u', 0, 0)"
    )
    for number, state in enumerate(("wont_do", "todo", "done"), 1):
        yield ACTION.format(number=number, state=state)
    for after in (2, 3):
        yield EDGE.format(after=after)


async def test_what_was_dropped_before_is_not_accepted_and_holds_back(old_target):
    def read(tx):
        facts = actions.facts(tx, "a1")
        return facts, prerequisites.unresolved_below(tx, ["a2"], 10), prerequisites.open_dependents(tx, "a1")

    async with migrated(old_target, BEFORE, old_rows()) as store:
        facts, waits_for, waiting = await store.read("w", read)
        with pytest.raises(Exception, match=r"(?i)check"):
            await store.write("w", lambda tx: tx.run("UPDATE actions SET drop_accepted_at = 1 WHERE state = 'todo'"))
    assert (facts.action.state, facts.action.drop_accepted_at) == ("wont_do", None)
    assert waits_for == {"a2": ["a1"]}
    assert [dependent.ref for dependent in waiting] == ["PEN-2"]
