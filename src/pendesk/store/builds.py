"""Queries on builds. Builds never change, so what was read once is cached."""

from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from pendesk.domain.build import Build, BuildAction
from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql


class _LabelAndArea(msgspec.Struct):
    label: str
    area: str


_decode_label_and_area = msgspec.json.Decoder(_LabelAndArea).decode  # of a whole snapshot, of which lists show no more

INSERT = insert_sql("builds", Build)
INSERT_ACTION = insert_sql("build_actions", BuildAction)

BY_ID = f"SELECT {columns_sql(Build)} FROM builds WHERE workspace_id = :workspace AND id = :id"

BY_NUMBER = f"""
SELECT {columns_sql(Build)} FROM builds WHERE workspace_id = :workspace AND spec_id = :spec_id AND number = :number
"""

BRIEF = """
SELECT b.snapshot, ba.snapshot, ba.brief_rev FROM build_actions ba
JOIN builds b ON b.workspace_id = ba.workspace_id AND b.id = ba.build_id
WHERE ba.workspace_id = :workspace AND ba.build_id = :build_id AND ba.action_id = :action_id
"""

# Of several builds that say the same of an action any will do.
OF_REV = """
SELECT build_id FROM build_actions
WHERE workspace_id = :workspace AND action_id = :action_id AND brief_rev = :brief_rev LIMIT 1
"""

ACTIONS = f"""
SELECT {columns_sql(BuildAction)} FROM build_actions
WHERE workspace_id = :workspace AND build_id = :build_id ORDER BY position
"""

PAGE = """
SELECT b.id, b.number, b.plan_id, u.name, b.published_at,
  (SELECT count(*) FROM build_actions ba WHERE ba.workspace_id = b.workspace_id AND ba.build_id = b.id)
FROM builds b JOIN users u ON u.id = b.published_by
WHERE b.workspace_id = :workspace AND b.spec_id = :spec_id AND b.number < :before
ORDER BY b.number DESC LIMIT :limit
"""

# The one that was current at a moment.
AT = """
SELECT id FROM builds WHERE workspace_id = :workspace AND spec_id = :spec_id AND published_at <= :moment
ORDER BY number DESC LIMIT 1
"""

LABELS = """
SELECT build_id, action_id, snapshot FROM build_actions
WHERE workspace_id = :workspace AND build_id IN (EACH :build_ids)
"""

# Build by build: of a join PostgreSQL would put all actions into a hash.
DONE_COUNTS = """
SELECT b.id, (
  SELECT count(*) FROM build_actions ba JOIN actions a ON a.workspace_id = ba.workspace_id AND a.id = ba.action_id
  WHERE ba.workspace_id = b.workspace_id AND ba.build_id = b.id AND a.spec_id = b.spec_id AND a.state = 'done')
FROM builds b WHERE b.workspace_id = :workspace AND b.id IN (EACH :build_ids)
"""

NUMBER = "SELECT number FROM builds WHERE workspace_id = :workspace AND id = :id"


class BriefTexts(NamedTuple):
    """What instructs the agent, frozen by a build: parsed once, shared by every reader, never changed."""

    spec: dict[str, Any]
    plan: dict[str, Any]
    action: dict[str, Any]
    brief_rev: str


def add(tx: Tx, build: Build, actions: list[BuildAction]) -> None:
    tx.run(INSERT, **build._asdict())
    for action in actions:
        tx.run(INSERT_ACTION, **action._asdict())


def by_id(tx: Tx, build_id: str) -> Build | None:
    row = tx.one(BY_ID, id=build_id)
    return Build(*row) if row else None


def by_number(tx: Tx, spec_id: str, number: int) -> Build | None:
    row = tx.one(BY_NUMBER, spec_id=spec_id, number=number)
    return Build(*row) if row else None


def page(tx: Tx, spec_id: str, before_number: int, limit: int) -> list[Row]:
    """Id, number, plan, publisher, time and number of actions, without the frozen texts; the newest first."""
    return tx.all(PAGE, spec_id=spec_id, before=before_number, limit=limit)


def current_id_at(tx: Tx, spec_id: str, moment: int) -> str | None:
    """The id of the build that was published last at that moment."""
    row = tx.one(AT, spec_id=spec_id, moment=moment)
    return row[0] if row else None


def number(tx: Tx, build_id: str) -> int | None:
    row = tx.one(NUMBER, id=build_id)
    return row[0] if row else None


def actions(tx: Tx, build_id: str) -> list[BuildAction]:
    return [BuildAction(*row) for row in tx.all(ACTIONS, build_id=build_id)]


def brief_texts(tx: Tx, build_id: str, action_id: str) -> BriefTexts | None:
    key = (tx.workspace, build_id, action_id)
    texts = _briefs.get(key)
    if texts is None:
        row = tx.one(BRIEF, build_id=build_id, action_id=action_id)
        if row is None:
            return None
        shared = _parse_snapshot(row[0])
        texts = BriefTexts(shared["spec"], shared["plan"], from_json(row[1]), row[2])
        _cache_brief(key, texts)
    return texts


def brief_texts_of_rev(tx: Tx, action_id: str, brief_rev: str) -> BriefTexts | None:
    """What a build said of the action, by the hash of it."""
    row = tx.one(OF_REV, action_id=action_id, brief_rev=brief_rev)
    return brief_texts(tx, row[0], action_id) if row else None


BRIEFS_CACHED = 1_000
_briefs: dict[tuple[str, str, str], BriefTexts] = {}
_eviction = Lock()  # briefs are read in worker threads: two of them must not choose the same one to drop


def _cache_brief(workspace_build_action_ids: tuple[str, str, str], texts: BriefTexts) -> None:
    with _eviction:
        if len(_briefs) >= BRIEFS_CACHED:
            del _briefs[next(iter(_briefs))]
        _briefs[workspace_build_action_ids] = texts


@lru_cache(maxsize=200)
def _parse_snapshot(snapshot_json: str) -> dict[str, Any]:
    parsed: dict[str, Any] = from_json(snapshot_json)
    return parsed


def labels_and_areas(tx: Tx, build_ids: list[str]) -> dict[str, tuple[str, str]]:
    """By action id, as the builds froze them."""
    by_build = {build_id: _labels.get((tx.workspace, build_id)) for build_id in build_ids}
    unknown = [build_id for build_id, labels in by_build.items() if labels is None]
    if unknown:
        by_build |= _load_labels(tx, unknown)
    return {action_id: texts for labels in by_build.values() if labels for action_id, texts in labels.items()}


BUILDS_LABELLED = 200
_labels: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}


def _load_labels(tx: Tx, build_ids: list[str]) -> dict[str, dict[str, tuple[str, str]]]:
    loaded: dict[str, dict[str, tuple[str, str]]] = {}
    for build_id, action_id, snapshot in tx.all(LABELS, build_ids=to_json(build_ids)):
        texts = _decode_label_and_area(snapshot)
        loaded.setdefault(build_id, {})[action_id] = (texts.label, texts.area)
    with _eviction:
        for build_id, labels in loaded.items():
            if len(_labels) >= BUILDS_LABELLED:
                del _labels[next(iter(_labels))]
            _labels[tx.workspace, build_id] = labels
    return loaded


def done_counts_by_build_id(tx: Tx, build_ids: list[str]) -> dict[str, int]:
    return {row[0]: row[1] for row in tx.all(DONE_COUNTS, build_ids=to_json(build_ids))} if build_ids else {}
