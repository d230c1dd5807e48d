"""Queries of the board: cards of a project, state by state."""

from collections.abc import Collection
from typing import NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import LABEL_SETS_READ
from pendesk.domain.review import RequestedChange
from pendesk.store import criteria, reviews
from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.prerequisites import unresolved


class CardQuery(NamedTuple):
    """What a board is narrowed to; a blank lets everything through.

    `assigned` is any, or none: then the two ids are blank. `label` is a pattern of the JSON that holds it.
    """

    project_id: str
    words: str = ""
    number: int = -1
    area: str = ""
    holder: str = ""
    spec: str = ""
    mark: str = ""
    assignee_user: str = ""
    assignee_agent: str = ""
    assigned: str = ""
    label: str = ""
    due: str = ""
    today: str = ""
    week_end: str = ""


class Card(NamedTuple):
    id: str
    ref_number: int
    label: str
    area: str
    state: str
    state_reason: str | None
    priority: int
    updated_at: int
    spec_id: str | None
    spec_title: str | None
    published: int
    holder_id: str | None
    holder_name: str | None
    holder_kind: str | None
    agent_model: str | None
    agent_name: str | None
    session_number: int | None
    session_name: str | None
    claim_state: str | None
    renewed_at: int | None
    expires_at: int | None
    blocked: int
    waiting: int
    x: float | None
    y: float | None
    drop_accepted_at: int | None
    assignee_user_id: str | None
    assignee_agent_id: str | None
    due_on: str | None
    labels: str | None
    criteria: CriteriaCounts = CriteriaCounts()
    requested: RequestedChange | None = None


class CardPlace(NamedTuple):
    """A card where it stands, without what it says."""

    id: str
    ref_number: int
    claim_state: str | None
    renewed_at: int | None
    expires_at: int | None


_BLOCKED = f"""
(SELECT count(*) FROM edges e JOIN actions b ON b.workspace_id = e.workspace_id AND b.id = e.before_id
 WHERE e.workspace_id = a.workspace_id AND e.after_id = a.id AND {unresolved("b")})"""
_PUBLISHED = """
(a.spec_id IS NULL OR EXISTS (
  SELECT 1 FROM specs s JOIN build_actions n ON n.workspace_id = s.workspace_id AND n.build_id = s.build_id
  WHERE s.workspace_id = a.workspace_id AND s.id = a.spec_id AND n.action_id = a.id))"""
_WAITING = """
(SELECT count(*) FROM clarifications q
 WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id AND q.answered_at IS NULL)"""
_LIVE = "c.state IN ('active', 'submitted')"
_FROM = f"""
FROM actions a
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND {_LIVE}
"""
_FITS = f"""
a.workspace_id = :workspace AND a.project_id = :project_id
AND (:words = '' OR lower(a.label) LIKE :words ESCAPE '!' OR a.ref_number = :number)
AND (:area = '' OR a.area = :area)
AND (:spec = '' OR a.spec_id = :spec OR (:spec = 'none' AND a.spec_id IS NULL))
AND (:holder = '' OR c.user_id = :holder OR (:holder = 'none' AND c.user_id IS NULL))
AND (:mark = ''
  OR (:mark = 'blocked' AND (a.state = 'todo' OR (a.state = 'in_progress' AND c.expires_at <= :now))
    AND {_PUBLISHED} AND {_BLOCKED} > 0 AND EXISTS (SELECT 1 FROM projects p
      WHERE p.workspace_id = a.workspace_id AND p.id = a.project_id AND p.state = 'active'))
  OR (:mark = 'waiting' AND {_WAITING} > 0)
  OR (:mark = 'expired' AND c.state = 'active' AND c.expires_at <= :now)
  OR (:mark = 'changes' AND a.state = 'changes_requested'))
AND (:assigned = '' OR (:assigned = 'none' AND a.assignee_user_id IS NULL AND a.assignee_agent_id IS NULL)
  OR a.assignee_user_id = :assignee_user OR a.assignee_agent_id = :assignee_agent)
AND (:label = '' OR a.labels LIKE :label ESCAPE '!')
AND (:due = '' OR (:due = 'none' AND a.due_on IS NULL)
  OR (:due = 'overdue' AND a.due_on < :today AND a.state NOT IN ('done', 'wont_do'))
  OR (:due = 'week' AND a.due_on >= :today AND a.due_on <= :week_end))
"""

COUNTS = f"SELECT a.state, count(*) {_FROM} WHERE {_FITS} GROUP BY a.state"

ORDERS = {
    "priority": "a.priority DESC, a.ref_number",
    "newest": "a.updated_at DESC, a.ref_number DESC",
    "ref": "a.ref_number",
    "label": "lower(a.label), a.ref_number",
    "state": "a.state, a.ref_number",
    # What has no day comes last, on both engines.
    "due": "CASE WHEN a.due_on IS NULL THEN 1 ELSE 0 END, a.due_on, a.ref_number",
}

# The cards are selected first and filled afterwards: filling one costs more than selecting it.
_CARDS = """
SELECT a.id, a.ref_number, a.label, a.area, a.state, a.state_reason, a.priority, a.updated_at, a.spec_id, s.title,
  CASE WHEN a.spec_id IS NULL OR EXISTS (
    SELECT 1 FROM build_actions n WHERE n.workspace_id = a.workspace_id AND n.build_id = s.build_id
    AND n.action_id = a.id) THEN 1 ELSE 0 END,
  c.user_id, u.name, u.kind, c.agent_model, g.name, cs.number, cs.name, c.state, c.renewed_at, c.expires_at,
  {blocked}, {waiting}, a.x, a.y, a.drop_accepted_at, a.assignee_user_id, a.assignee_agent_id, a.due_on, a.labels
FROM (SELECT a.id {source} WHERE {fits} {state} ORDER BY {order} LIMIT :limit) chosen
JOIN actions a ON a.workspace_id = :workspace AND a.id = chosen.id
LEFT JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND {live}
LEFT JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions cs ON cs.workspace_id = c.workspace_id AND cs.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = cs.workspace_id AND g.id = cs.agent_id
ORDER BY {order}
"""


def _card_queries_by_order(state_condition: str) -> dict[str, str]:
    parts = {
        "blocked": _BLOCKED,
        "waiting": _WAITING,
        "source": _FROM,
        "fits": _FITS,
        "live": _LIVE,
        "state": state_condition,
    }
    return {name: _CARDS.format(order=order, **parts) for name, order in ORDERS.items()}


IN_STATE = _card_queries_by_order("AND a.state = :state")
IN_ANY_STATE = _card_queries_by_order("")

# Which cards a column shows, in which order, and how the lease of each is doing: without filling them.
PLACES = {
    name: f"""
SELECT a.id, a.ref_number, c.state, c.renewed_at, c.expires_at {_FROM} WHERE {_FITS} AND a.state = :state
ORDER BY {order} LIMIT :limit
"""
    for name, order in ORDERS.items()
}
# The order is that of the places; these are looked up by id.
BY_IDS = _CARDS.format(
    blocked=_BLOCKED,
    waiting=_WAITING,
    source="FROM actions a",
    fits="a.workspace_id = :workspace AND a.id IN (EACH :ids)",
    live=_LIVE,
    state="",
    order="a.ref_number",
)

AREAS = """
SELECT DISTINCT area FROM actions WHERE workspace_id = :workspace AND project_id = :project_id AND area <> ''
ORDER BY area LIMIT :limit
"""

# The sets of labels in use, few as a rule; each label is in one or more of them.
LABEL_SETS = """
SELECT DISTINCT labels FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id AND labels IS NOT NULL LIMIT :limit
"""

HOLDERS = f"""
SELECT DISTINCT u.id, u.name FROM actions a
JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND {_LIVE}
JOIN users u ON u.id = c.user_id
WHERE a.workspace_id = :workspace AND a.project_id = :project_id
  AND a.state IN ('in_progress', 'in_review', 'changes_requested')
ORDER BY u.name, u.id LIMIT :limit
"""

SPECS = """
SELECT id, title FROM specs WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY id LIMIT :limit
"""


def counts_by_state(tx: Tx, card_query: CardQuery) -> dict[str, int]:
    return {row[0]: row[1] for row in tx.all(COUNTS, now=tx.now, **card_query._asdict())}


def cards_in_state(tx: Tx, card_query: CardQuery, state: str, order: str, limit: int) -> list[Card]:
    rows = tx.all(IN_STATE[order], now=tx.now, state=state, limit=limit, **card_query._asdict())
    return _complete_cards(tx, rows)


def cards_in_any_state(tx: Tx, card_query: CardQuery, order: str, limit: int) -> list[Card]:
    """Of every state."""
    rows = tx.all(IN_ANY_STATE[order], now=tx.now, limit=limit, **card_query._asdict())
    return _complete_cards(tx, rows)


def places_in_state(tx: Tx, card_query: CardQuery, state: str, order: str, limit: int) -> list[CardPlace]:
    rows = tx.all(PLACES[order], now=tx.now, state=state, limit=limit, **card_query._asdict())
    return [CardPlace(*row) for row in rows]


def cards_by_ids(tx: Tx, action_ids: Collection[str]) -> list[Card]:
    rows = tx.all(BY_IDS, ids=to_json(sorted(action_ids)), limit=len(action_ids)) if action_ids else []
    return _complete_cards(tx, rows)


def _complete_cards(tx: Tx, rows: list[Row]) -> list[Card]:
    cards = [Card(*row) for row in rows]
    counts = criteria.counts_by_action_id(tx, [card.id for card in cards])
    requested = reviews.newest_request_by_action_id(
        tx, [card.id for card in cards if card.state == ActionState.CHANGES_REQUESTED]
    )
    return [
        card._replace(criteria=counts.get(card.id, CriteriaCounts()), requested=requested.get(card.id))
        for card in cards
    ]


def distinct_action_areas(tx: Tx, project_id: str, limit: int) -> list[str]:
    return [row[0] for row in tx.all(AREAS, project_id=project_id, limit=limit)]


def distinct_labels(tx: Tx, project_id: str, limit: int) -> list[str]:
    rows = tx.all(LABEL_SETS, project_id=project_id, limit=LABEL_SETS_READ)
    return sorted({label for row in rows for label in from_json(row[0])})[:limit]


def holder_ids_and_names(tx: Tx, project_id: str, limit: int) -> list[tuple[str, str]]:
    """Id and name of everyone who holds an action of the project."""
    return [(row[0], row[1]) for row in tx.all(HOLDERS, project_id=project_id, limit=limit)]


def spec_ids_and_titles(tx: Tx, project_id: str, limit: int) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in tx.all(SPECS, project_id=project_id, limit=limit)]
