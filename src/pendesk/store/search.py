"""The texts that full-text search reads.

What a word costs in the index follows how many texts hold it, however few are shown. So the newest texts are looked
through first: a common word is in enough of them, and a rare one has few matches in the index.
"""

from typing import NamedTuple

from pendesk.domain.limits import (
    SEARCH_COMMON_MATCHES,
    SEARCH_EXCERPT_FROM_CHARS,
    SEARCH_MATCHES_COMPARED,
    SEARCH_TEXTS_LOOKED_AT,
)
from pendesk.domain.search import to_search_index_text
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, all_at_once
from pendesk.store.projects import is_there

KINDS = ("action", "spec", "document", "note")

INDEX = """
INSERT INTO search_texts (workspace_id, object_id, project_id, kind, title, body, title_words, body_words)
VALUES (:workspace, :object_id, :project_id, :kind, :title, :body, :title_words, :body_words)
ON CONFLICT (workspace_id, object_id) DO UPDATE
SET title = excluded.title, body = excluded.body, title_words = excluded.title_words,
  body_words = excluded.body_words
"""

_OF_KIND = "workspace_id = :workspace {in_project} AND kind = :kind"
_IN_PROJECT = "AND project_id = :project_id"
# With a beginning and an end, so that each word stands between two blanks.
_HOLDS_ALL = "HELD(:parts IN ' ' || title_words || ' ' || body_words || ' ') = :count"

# Of one kind the newest that hold all words, with how many each has in its title; and whether there are older texts.
_NEWEST = f"""
SELECT object_id, HELD(:parts IN ' ' || title_words || ' ') FROM (
  SELECT object_id, title_words, body_words FROM search_texts WHERE {_OF_KIND}
  ORDER BY object_id COLLATE BINARY DESC LIMIT :looked_at) newest
WHERE {_HOLDS_ALL}
"""
_OLDER = f"SELECT 1 FROM search_texts WHERE {_OF_KIND} ORDER BY object_id COLLATE BINARY DESC LIMIT 1 OFFSET :looked_at"
_IN_ALL = f"AND {is_there('project_id')}"
NEWEST = _NEWEST.format(in_project=_IN_ALL)
NEWEST_OF_PROJECT = _NEWEST.format(in_project=_IN_PROJECT)
OLDER = _OLDER.format(in_project=_IN_ALL)
OLDER_OF_PROJECT = _OLDER.format(in_project=_IN_PROJECT)

TEXTS = """
SELECT object_id, kind, project_id, title, body FROM search_texts
WHERE workspace_id = :workspace AND object_id IN (EACH :ids)
"""

# Of a project's actions the next that hold all words, in the order of their ids; and the last that was looked at.
_NEXT_ACTIONS = f"""search_texts WHERE {_OF_KIND.format(in_project=_IN_PROJECT).replace(":kind", "'action'")}
  AND object_id COLLATE BINARY > :after ORDER BY object_id COLLATE BINARY LIMIT"""
NEXT_ACTION_IDS = f"""
SELECT object_id FROM (SELECT object_id, title_words, body_words FROM {_NEXT_ACTIONS} :looked_at) next_ones
WHERE {_HOLDS_ALL}
ORDER BY object_id
"""
LAST_LOOKED_AT = f"SELECT object_id FROM {_NEXT_ACTIONS} 1 OFFSET :looked_at"

# Of what was found, what is somebody's: actions that they, or an agent of theirs, are assigned or claimed last; specs
# they wrote or take part in; documents and notes they wrote.
OF_PERSON = """
SELECT a.id FROM actions a WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids) AND (
  a.assignee_user_id = :user_id
  OR EXISTS (SELECT 1 FROM agents g
    WHERE g.workspace_id = a.workspace_id AND g.id = a.assignee_agent_id AND g.user_id = :user_id)
  OR EXISTS (SELECT 1 FROM claims c
    WHERE c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.user_id = :user_id))
UNION ALL SELECT s.id FROM specs s WHERE s.workspace_id = :workspace AND s.id IN (EACH :ids) AND (
  s.created_by = :user_id
  OR EXISTS (SELECT 1 FROM participants t
    WHERE t.workspace_id = s.workspace_id AND t.spec_id = s.id AND t.user_id = :user_id))
UNION ALL SELECT d.id FROM documents d
WHERE d.workspace_id = :workspace AND d.id IN (EACH :ids) AND d.created_by = :user_id
UNION ALL SELECT n.id FROM notes n
WHERE n.workspace_id = :workspace AND n.id IN (EACH :ids) AND n.created_by = :user_id
"""
# With a column that no index of states holds, or SQLite goes through all of that index.
STATES = "SELECT id, state, revision FROM actions WHERE workspace_id = :workspace AND id IN (EACH :ids)"


class Within(NamedTuple):
    """What is looked through; a blank text means all. Only actions have a state."""

    project_id: str = ""
    kind: str = ""
    state: str = ""
    user_id: str = ""


class Matches(NamedTuple):
    """Rows with id, kind, project, title and the beginning of the body, the best first: those with more of the words in
    their title, then the newest. `has_older`: texts that were not looked at may match as well.
    """

    rows: list[Row]
    has_older: bool


def find(tx: Tx, words: list[str], within: Within, limit: int) -> Matches:
    """All words must occur, the last may be a beginning. State and person are looked at for what was found: whatever
    they are, it costs the same.
    """
    hits, has_older = _find_in_newest(tx, words, within.project_id, within.kind)
    hits = _of_state_and_person(tx, hits, within)
    if has_older and len(hits) < limit:
        hits = tx.full_text_search(words, within.project_id, within.kind, _parts(words), SEARCH_MATCHES_COMPARED + 1)
        has_older, hits = len(hits) > SEARCH_MATCHES_COMPARED, hits[:SEARCH_MATCHES_COMPARED]
        hits = _of_state_and_person(tx, hits, within)
    ids = [object_id for _, object_id in sorted(((in_title, ident) for ident, in_title in hits), reverse=True)[:limit]]
    rows = {row[0]: row for row in tx.all(TEXTS, ids=to_json(ids))} if ids else {}
    return Matches([rows[ident] for ident in ids], has_older)


def _of_state_and_person(tx: Tx, hits: list[Row], within: Within) -> list[Row]:
    if within.state and hits:
        in_state = {row[0] for row in tx.all(STATES, ids=_ids(hits)) if row[1] == within.state}
        hits = [hit for hit in hits if hit[0] in in_state]
    if within.user_id and hits:
        theirs = {row[0] for row in tx.all(OF_PERSON, ids=_ids(hits), user_id=within.user_id)}
        hits = [hit for hit in hits if hit[0] in theirs]
    return hits


def _ids(hits: list[Row]) -> str:
    return to_json([hit[0] for hit in hits])


def _find_in_newest(tx: Tx, words: list[str], project_id: str, kind: str) -> tuple[list[Row], bool]:
    newest, older = (NEWEST_OF_PROJECT, OLDER_OF_PROJECT) if project_id else (NEWEST, OLDER)
    kinds, texts = (kind,) if kind else KINDS, {"looked_at": SEARCH_TEXTS_LOOKED_AT}
    scope = {"project_id": project_id} if project_id else {}
    parts = {"parts": _parts(words), "count": len(words)}
    answers = all_at_once(
        tx,
        *((newest, {"kind": kind, **scope, **texts, **parts}) for kind in kinds),
        *((older, {"kind": kind, **scope, **texts}) for kind in kinds),
    )
    hits = [hit for of_kind in answers[: len(kinds)] for hit in of_kind]
    return hits, any(answers[len(kinds) :])


def next_action_ids(tx: Tx, words: list[str], project_id: str, after: str, limit: int) -> tuple[list[str], str | None]:
    """The actions of a project whose texts hold all words, in the order of their ids; and the id of the last that was
    looked at, where there may be more behind it.
    """
    scope = {"project_id": project_id, "after": after}
    parts = {"parts": _parts(words), "count": len(words)}
    hits, last = all_at_once(
        tx,
        (NEXT_ACTION_IDS, {**scope, **parts, "looked_at": SEARCH_TEXTS_LOOKED_AT}),
        (LAST_LOOKED_AT, {**scope, "looked_at": SEARCH_TEXTS_LOOKED_AT - 1}),
    )
    ids = [row[0] for row in hits]
    if not last or len(ids) >= SEARCH_COMMON_MATCHES:
        return ids, last[0][0] if last else None
    ids = tx.full_text_action_ids(words, project_id, after, limit)
    return ids, ids[-1] if len(ids) == limit else None


def _parts(words: list[str]) -> str:
    """As they occur in a text whose words stand between blanks; of the last its beginning is enough."""
    return to_json([*(f" {word} " for word in words[:-1]), f" {words[-1]}"])


def save_index_entry(tx: Tx, kind: str, object_id: str, project_id: str, title: str, *texts: str) -> None:
    """Called with every change of the object's texts, in its transaction."""
    body = "\n".join(text for text in texts if text)
    tx.run(
        INDEX,
        object_id=object_id,
        project_id=project_id,
        kind=kind,
        title=title,
        body=body[:SEARCH_EXCERPT_FROM_CHARS],
        title_words=to_search_index_text(title),
        body_words=to_search_index_text(body),
    )
