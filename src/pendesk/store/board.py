"""Queries of the board: cards of a project, state by state.

Of what is closed only the newest are looked at: there is no end to it.
"""

from collections.abc import Collection
from typing import NamedTuple

from pendesk.domain.action import CLOSED, ActionState
from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import CLOSED_FACETS_READ, CLOSED_LOOKED_AT
from pendesk.domain.review import RequestedChange
from pendesk.store import criteria, projects, reviews
from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.engine.tx import Row, Tx, any_row_sql
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

    @property
    def is_narrowed(self) -> bool:
        any_card = CardQuery(self.project_id, today=self.today, week_end=self.week_end)
        return self != any_card


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
    last_message: str | None
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
_IN_BUILD = any_row_sql("""
  SELECT 1 FROM specs s JOIN build_actions n ON n.workspace_id = s.workspace_id AND n.build_id = s.build_id
  WHERE s.workspace_id = a.workspace_id AND s.id = a.spec_id AND n.action_id = a.id""")
_PUBLISHED = f"(a.spec_id IS NULL OR {_IN_BUILD})"
_WAITING = """
(SELECT count(*) FROM clarifications q
 WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id AND q.answered_at IS NULL)"""
_LIVE = "c.state IN ('active', 'submitted')"
_IN_PROJECT = "workspace_id = :workspace AND project_id = :project_id"
# Word for word the condition of the index, or SQLite does not see that it holds them.
_IN_INDEX = "state IN ('done', 'wont_do')"
# Each state by itself, so that each walks its index and stops.
_CLOSED = f"""
SELECT * FROM (SELECT {{columns}} FROM actions WHERE {_IN_PROJECT} AND state = '{{state}}' AND {_IN_INDEX}
  ORDER BY updated_at DESC, ref_number DESC LIMIT :closed) {{state}}_ones"""


def looked_at(columns: str) -> str:
    closed = [_CLOSED.format(columns=columns, state=state) for state in CLOSED]
    return " UNION ALL ".join(
        [f"SELECT {columns} FROM actions WHERE {_IN_PROJECT} AND state IN {projects.OPEN_STATES}", *closed]
    )


_FILTERED = """workspace_id, id, project_id, ref_number, label, area, state, priority, updated_at, spec_id, claim_id,
  assignee_user_id, assignee_agent_id, due_on, labels"""
_CLAIMED = f"LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND {_LIVE}"
_FROM_SOME = f"FROM ({looked_at(_FILTERED)}) a {_CLAIMED} WHERE"
_FROM_OPEN_STATE = f"""
FROM actions a {_CLAIMED}
WHERE a.workspace_id = :workspace AND a.project_id = :project_id AND a.state = :state AND"""
_FROM_CLOSED_STATE = f"""
FROM (SELECT {_FILTERED} FROM actions WHERE {_IN_PROJECT} AND state = :state AND {_IN_INDEX}
  ORDER BY updated_at DESC, ref_number DESC LIMIT :closed) a {_CLAIMED} WHERE"""
_FITS = f"""
(:words = '' OR lower(a.label) LIKE :words ESCAPE '!' OR a.ref_number = :number)
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

COUNTS = f"SELECT a.state, count(*) {_FROM_SOME} {_FITS} GROUP BY a.state"

ORDERS = {
    "priority": "a.priority DESC, a.ref_number",
    "newest": "a.updated_at DESC, a.ref_number DESC",
    # With a plus, or SQLite would go through the whole project, which is in that order.
    "ref": "+a.ref_number",
    "label": "lower(a.label), a.ref_number",
    "state": "a.state, a.ref_number",
    # What has no day comes last, on both engines.
    "due": "CASE WHEN a.due_on IS NULL THEN 1 ELSE 0 END, a.due_on, a.ref_number",
    "open": "CASE WHEN a.state IN ('done', 'wont_do') THEN 1 ELSE 0 END, a.updated_at DESC, a.ref_number DESC",
}

# The cards are selected first and filled afterwards: filling one costs more than selecting it.
_CARDS = """
SELECT a.id, a.ref_number, a.label, a.area, a.state, a.state_reason, a.priority, a.updated_at, a.spec_id, s.title,
  CASE WHEN {published} THEN 1 ELSE 0 END,
  c.user_id, u.name, u.kind, c.agent_model, g.name, cs.number, cs.name, c.state, c.renewed_at, c.expires_at,
  c.last_message, {blocked}, {waiting}, a.x, a.y, a.drop_accepted_at, a.assignee_user_id, a.assignee_agent_id,
  a.due_on, a.labels
FROM (SELECT a.id {source} {fits} ORDER BY {order} LIMIT :limit) chosen
CROSS JOIN actions a
LEFT JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND {live}
LEFT JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions cs ON cs.workspace_id = c.workspace_id AND cs.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = cs.workspace_id AND g.id = cs.agent_id
WHERE a.workspace_id = :workspace AND a.id = chosen.id
ORDER BY {order}
"""


def _card_queries_by_order(source: str) -> dict[str, str]:
    parts = {"published": _PUBLISHED, "blocked": _BLOCKED, "waiting": _WAITING, "live": _LIVE}
    parts |= {"source": source, "fits": _FITS}
    return {name: _CARDS.format(order=order, **parts) for name, order in ORDERS.items()}


IN_OPEN_STATE = _card_queries_by_order(_FROM_OPEN_STATE)
IN_CLOSED_STATE = _card_queries_by_order(_FROM_CLOSED_STATE)
IN_ANY_STATE = _card_queries_by_order(_FROM_SOME)

# Which cards a column shows, in which order, and how the lease of each is doing: without filling them.
_PLACES = "SELECT a.id, a.ref_number, c.state, c.renewed_at, c.expires_at {source} {fits} ORDER BY {order} LIMIT :limit"


def _place_queries_by_order(source: str) -> dict[str, str]:
    return {name: _PLACES.format(source=source, fits=_FITS, order=order) for name, order in ORDERS.items()}


PLACES_IN_OPEN_STATE = _place_queries_by_order(_FROM_OPEN_STATE)
PLACES_IN_CLOSED_STATE = _place_queries_by_order(_FROM_CLOSED_STATE)

# The order is that of the places; these are looked up by id.
BY_IDS = _CARDS.format(
    published=_PUBLISHED,
    blocked=_BLOCKED,
    waiting=_WAITING,
    source="FROM actions a WHERE",
    fits="a.workspace_id = :workspace AND a.id IN (EACH :ids)",
    live=_LIVE,
    order="a.ref_number",
)

# The sets of labels in use are few as a rule; each label is in one or more of them.
AREAS_AND_LABELS = f"SELECT DISTINCT area, labels FROM ({looked_at('area, labels')}) looked_at"

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


def escape_pattern(text: str) -> str:
    for special in "!%_":
        text = text.replace(special, f"!{special}")
    return text


def label_pattern(label: str) -> str:
    """Of the JSON that holds it, in which no label has a quote."""
    name = " ".join(label.lower().split())
    return f'%"{escape_pattern(name)}"%' if name else ""


def counts_by_state(tx: Tx, card_query: CardQuery) -> dict[str, int]:
    """All of them, or, of a narrowed query, what fits among those that are looked at."""
    if not card_query.is_narrowed:
        return projects.action_counts_by_state(tx, card_query.project_id)
    rows = tx.all(COUNTS, now=tx.now, closed=CLOSED_LOOKED_AT, **card_query._asdict())
    return {row[0]: row[1] for row in rows}


def cards_in_state(tx: Tx, card_query: CardQuery, state: str, order: str, limit: int) -> list[Card]:
    params = {"now": tx.now, "state": state, "limit": limit, **card_query._asdict()}
    if state not in CLOSED:
        return _complete_cards(tx, tx.all(IN_OPEN_STATE[order], **params))
    closed = _closed_looked_at(card_query, order, limit)
    return _complete_cards(tx, tx.all(IN_CLOSED_STATE[order], closed=closed, **params))


def cards_in_any_state(tx: Tx, card_query: CardQuery, order: str, limit: int) -> list[Card]:
    """Of every state."""
    closed = _closed_looked_at(card_query, order, limit)
    rows = tx.all(IN_ANY_STATE[order], now=tx.now, limit=limit, closed=closed, **card_query._asdict())
    return _complete_cards(tx, rows)


def places_in_state(tx: Tx, card_query: CardQuery, state: str, order: str, limit: int) -> list[CardPlace]:
    params = {"now": tx.now, "state": state, "limit": limit, **card_query._asdict()}
    if state not in CLOSED:
        return [CardPlace(*row) for row in tx.all(PLACES_IN_OPEN_STATE[order], **params)]
    closed = _closed_looked_at(card_query, order, limit)
    return [CardPlace(*row) for row in tx.all(PLACES_IN_CLOSED_STATE[order], closed=closed, **params)]


def cards_by_ids(tx: Tx, action_ids: Collection[str]) -> list[Card]:
    rows = tx.all(BY_IDS, ids=to_json(sorted(action_ids)), limit=len(action_ids)) if action_ids else []
    return _complete_cards(tx, rows)


def closed_windows(tx: Tx, card_query: CardQuery, order: str) -> dict[str, int]:
    """The states of which not all is looked at, and how much."""
    if not card_query.is_narrowed and order == "newest":
        return {}
    totals = projects.action_counts_by_state(tx, card_query.project_id)
    return {state: CLOSED_LOOKED_AT for state in CLOSED if totals.get(state, 0) > CLOSED_LOOKED_AT}


def _closed_looked_at(card_query: CardQuery, order: str, limit: int) -> int:
    """Where all of them fit and the newest come first, no more than are shown."""
    return limit if order in ("newest", "open") and not card_query.is_narrowed else CLOSED_LOOKED_AT


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


def distinct_areas_and_labels(tx: Tx, project_id: str, limit: int) -> tuple[list[str], list[str]]:
    rows = tx.all(AREAS_AND_LABELS, project_id=project_id, closed=CLOSED_FACETS_READ)
    areas = {area for area, _ in rows if area}
    labels = {label for _, labels in rows if labels is not None for label in from_json(labels)}
    return sorted(areas)[:limit], sorted(labels)[:limit]


def holder_ids_and_names(tx: Tx, project_id: str, limit: int) -> list[tuple[str, str]]:
    """Id and name of everyone who holds an action of the project."""
    return [(row[0], row[1]) for row in tx.all(HOLDERS, project_id=project_id, limit=limit)]


def spec_ids_and_titles(tx: Tx, project_id: str, limit: int) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in tx.all(SPECS, project_id=project_id, limit=limit)]
