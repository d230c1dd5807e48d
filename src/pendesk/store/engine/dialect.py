"""Where the two engines differ, and only there.

Queries are written once, with `:name` parameters; `IN (EACH :ids)` takes a JSON list, `(EACH ROW OF :rows (id TEXT, at
BIGINT))` a JSON list of lists, as the rows of a table; `HELD(:words IN text)` counts how many of a JSON list of texts
occur in one; `COLLATE BINARY` orders by bytes. Translations are made once per text.
"""

import re
from functools import cache

_PARAMETER = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")
_IN_LIST = re.compile(r"IN \(EACH :([a-z_]+)\)")
_NUMBERED_LOG = re.compile(r"\bevents\b")
_HELD = re.compile(r"HELD\(:([a-z_]+) IN ([^()]*)\)")
_ROW_LIST = re.compile(r"\(EACH ROW OF :([a-z_]+) \(([^()]*)\)\)")

SQLITE_APPEND_EVENT = """
INSERT INTO events
  (workspace_id, seq, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id, data,
  about_user_id, agent_session_id)
VALUES (:workspace, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE workspace_id = :workspace),
  :at, :kind, :actor_id, :agent_model, :door, :object_id, :project_id, :spec_id, :action_id, :data,
  :about_user_id, :agent_session_id)
RETURNING seq
"""

# A number is given out after the commit (postgres_numbering.py): nothing that others wait for is held until then.
POSTGRES_APPEND_EVENT = """
INSERT INTO event_outbox
  (workspace_id, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id, data,
  about_user_id, agent_session_id)
VALUES (:workspace, :at, :kind, :actor_id, :agent_model, :door, :object_id, :project_id, :spec_id,
  :action_id, :data, :about_user_id, :agent_session_id)
RETURNING id
"""
POSTGRES_NUMBER_EVENTS = """
SELECT done_below::text, server::text, numbered_workspaces FROM number_events(%s::xid8, %s::timestamptz)
"""

# The newest that hold all words, and how many of the words each has in its title. CROSS JOIN: else SQLite goes through
# the texts in the order of their ids, and looks each up in the index. In that order the index gives its matches without
# a sort, so that it stops at the limit; PostgreSQL's gives all of them.
SQLITE_SEARCH = """
SELECT t.object_id, HELD(:parts IN ' ' || t.title_words || ' ')
FROM search_index CROSS JOIN search_texts t ON t.id = search_index.rowid
WHERE search_index MATCH :query AND t.workspace_id = :workspace AND (:kind = '' OR t.kind = :kind)
  AND (:project_id = '' OR t.project_id = :project_id)
  AND t.project_id NOT IN (SELECT ui.project_id FROM unfinished_imports ui WHERE ui.workspace_id = :workspace)
ORDER BY search_index.rowid DESC LIMIT :limit
"""
SQLITE_SEARCH_ACTION_IDS = """
SELECT t.object_id FROM search_index CROSS JOIN search_texts t ON t.id = search_index.rowid
WHERE search_index MATCH :query AND t.workspace_id = :workspace AND t.project_id = :project_id
  AND t.kind = 'action' AND t.object_id > :after
ORDER BY t.object_id LIMIT :limit
"""

POSTGRES_SEARCH = """
SELECT n.object_id, HELD(:parts IN ' ' || n.title_words || ' ') FROM (
  SELECT t.object_id, t.title_words FROM search_texts t, to_tsquery('simple', :query) q
  WHERE t.words @@ q AND t.workspace_id = :workspace AND (:kind = '' OR t.kind = :kind)
    AND (:project_id = '' OR t.project_id = :project_id)
  ORDER BY t.id + 0 DESC LIMIT :limit) n
"""
POSTGRES_SEARCH_ACTION_IDS = """
SELECT t.object_id FROM search_texts t, to_tsquery('simple', :query) q
WHERE t.words @@ q AND t.workspace_id = :workspace AND t.project_id = :project_id
  AND t.kind = 'action' AND t.object_id > :after
ORDER BY t.object_id || '' LIMIT :limit
"""


@cache
def to_sqlite_sql(sql: str) -> str:
    lists = _IN_LIST.sub(r"IN (SELECT value FROM json_each(:\1))", sql)
    lists = _HELD.sub(r"(SELECT count(*) FROM json_each(:\1) part WHERE instr(\2, part.value) > 0)", lists)
    return _ROW_LIST.sub(lambda match: f"(SELECT {_columns(match[2], cast=False)} FROM json_each(:{match[1]}))", lists)


@cache
def to_postgres_sql_and_param_names(sql: str) -> tuple[str, tuple[str, ...]]:
    """The text with numbered parameters, and their names in that order."""
    lists = _IN_LIST.sub(r"IN (SELECT jsonb_array_elements_text(:\1::jsonb))", sql)
    lists = _HELD.sub(
        r"(SELECT count(*) FROM jsonb_array_elements_text(:\1::jsonb) part WHERE strpos(\2, part) > 0)", lists
    )
    lists = _ROW_LIST.sub(
        lambda match: f"(SELECT {_columns(match[2], cast=True)} FROM jsonb_array_elements(:{match[1]}::jsonb))", lists
    )
    lists = lists.replace("COLLATE BINARY", 'COLLATE "C"')
    numbers = {name: place for place, name in enumerate(dict.fromkeys(_PARAMETER.findall(lists)), 1)}
    return _PARAMETER.sub(lambda match: f"${numbers[match[1]]}", lists), tuple(numbers)


@cache
def reads_numbered_log(sql: str) -> bool:
    """Whether it reads the log by its numbers; the view of recorded events has also what is not numbered yet."""
    return _NUMBERED_LOG.search(sql) is not None


def _columns(definitions: str, *, cast: bool) -> str:
    """Of a JSON list, by place: SQLite has the type from the JSON itself."""
    pairs = [definition.split() for definition in definitions.split(",")]
    return ", ".join(
        f"CAST(value ->> {place} AS {kind}) AS {name}" if cast else f"value ->> {place} AS {name}"
        for place, (name, kind) in enumerate(pairs)
    )


def build_sqlite_fts_query(words: list[str]) -> str:
    return " AND ".join(f'"{word}"' for word in words) + "*"


def build_postgres_tsquery(words: list[str]) -> str:
    return " & ".join(f"'{word}'" for word in words) + ":*"
