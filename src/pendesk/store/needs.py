"""Queries on what waits for people: questions, work to review, expired claims, rework that nobody does, guest requests,
dropped actions that others wait for, what agents drafted, and comments that mention a person.

Each is found by an index of what is open, so the cost follows what waits and not how large the workspace is.
"""

from typing import NamedTuple

from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import TAKE_OVER_SHOWN_US, Limits
from pendesk.store import criteria, personal_needs
from pendesk.store.engine.tx import Tx
from pendesk.store.prerequisites import Dependent, has_open_dependents, open_dependents_by_action_id


class InboxItem(NamedTuple):
    """One thing that waits. `since` is when it began to; what a kind does not have is blank or null.

    `label` is the action's, or the title that a guest or a draft gave. `text` of a draft is its kind.
    `taken_from_session_id` had the claim that was taken over; null where a person did.
    """

    kind: str
    id: str
    since: int
    project_key: str
    project_name: str
    action_id: str | None
    ref_number: int | None
    label: str | None
    spec_id: str | None
    spec_title: str | None
    text: str
    user_id: str | None
    user_name: str
    user_kind: str
    agent_model: str | None
    number: int | None
    pr_url: str | None
    branch: str | None
    head_sha: str | None
    renewed_at: int | None
    agent_session_id: str | None
    taken_from_session_id: str | None = None
    document_id: str | None = None
    criteria: CriteriaCounts | None = None
    dependents: list[Dependent] | None = None


class InboxCounts(NamedTuple):
    questions: int
    reviews: int
    claims: int
    reworks: int
    take_overs: int
    guests: int
    dropped: int
    proposals: int
    mentions: int
    watched: int


class LiveClaim(NamedTuple):
    """A claim that is alive."""

    action_id: str
    project_key: str
    ref_number: int
    label: str
    user_id: str
    user_name: str
    user_kind: str
    agent_model: str | None
    renewed_at: int
    expires_at: int
    last_message: str | None
    agent_session_id: str | None


_ACTION = """
JOIN actions a ON a.workspace_id = {0}.workspace_id AND a.id = {0}.action_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id AND p.state <> 'archived'
"""
_SPEC = "LEFT JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id"

# Each kind: where it is looked for, and what of it waits. A count reads no more than that.
_QUESTIONS = f"FROM clarifications q {_ACTION.format('q')}"
_OPEN = "WHERE q.workspace_id = :workspace AND q.answered_at IS NULL AND a.state NOT IN ('done', 'wont_do')"

_REVIEWS = """
FROM actions a
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id AND p.state <> 'archived'
"""
# What asks for a draft is in review with its proposal, which stands in the list instead.
_UNJUDGED = """
WHERE a.workspace_id = :workspace AND a.state = 'in_review' AND NOT EXISTS (
  SELECT 1 FROM proposals o WHERE o.workspace_id = a.workspace_id AND o.action_id = a.id AND o.state = 'open')
"""
_NEWEST = """
JOIN submissions n ON n.workspace_id = a.workspace_id AND n.action_id = a.id AND n.number = (
  SELECT max(o.number) FROM submissions o WHERE o.workspace_id = a.workspace_id AND o.action_id = a.id)
"""

_CLAIMS = f"FROM claims c {_ACTION.format('c')}"
# Whoever waits for an answer is not lost: the question stands in the list instead, and after the answer there is time
# to take the claim up again.
_EXPIRED = """
WHERE c.workspace_id = :workspace AND c.state = 'active' AND c.expires_at <= :now AND NOT EXISTS (
  SELECT 1 FROM clarifications o WHERE o.workspace_id = c.workspace_id AND o.action_id = c.action_id
  AND (o.answered_at IS NULL OR o.answered_at > :answered_after))
"""

# Changes that were requested a while ago and that no session has claimed; an expired claim stands in the list as such.
_REWORKS = f"""
{_REVIEWS} {_NEWEST} JOIN reviews r ON r.workspace_id = n.workspace_id AND r.submission_id = n.id
"""
_UNTOUCHED = """
WHERE a.workspace_id = :workspace AND a.state = 'changes_requested' AND r.reviewed_at <= :reviewed_before
  AND NOT EXISTS (
    SELECT 1 FROM claims o WHERE o.workspace_id = a.workspace_id AND o.action_id = a.id AND o.state = 'active')
"""

# A claim that was alive when another session of the same user took it (ActionClaimedData.taken_over), while that one
# is at work: the person may know better.
_TAKE_OVERS = f"""
FROM claims c CROSS JOIN claims l
{_ACTION.format("c")}
"""
_AT_WORK = """
WHERE c.workspace_id = :workspace AND c.state = 'active' AND c.expires_at > :now
  AND l.workspace_id = c.workspace_id AND l.action_id = c.action_id AND l.fence = c.fence - 1
  AND l.state = 'lost' AND l.expires_at > l.ended_at AND l.ended_at > :taken_after
"""

_GUESTS = """
FROM inbox_items i
JOIN projects p ON p.workspace_id = i.workspace_id AND p.id = i.project_id AND p.state <> 'archived'
"""
_PENDING = "WHERE i.workspace_id = :workspace AND i.status = 'pending'"

_DROPPED = _REVIEWS
_UNDECIDED = f"""
WHERE a.workspace_id = :workspace AND a.state = 'wont_do' AND a.drop_accepted_at IS NULL
  AND {has_open_dependents("a")}
"""

_PROPOSALS = """
FROM proposals d
JOIN projects p ON p.workspace_id = d.workspace_id AND p.id = d.project_id AND p.state <> 'archived'
"""
_PROPOSED = "WHERE d.workspace_id = :workspace AND d.state = 'open'"

# What waits for whoever comes first, in the order of InboxCounts; what follows it there is the caller's alone.
COUNTED = [
    (_QUESTIONS, _OPEN),
    (_REVIEWS, _UNJUDGED),
    (_CLAIMS, _EXPIRED),
    (_REWORKS, _UNTOUCHED),
    (_TAKE_OVERS, _AT_WORK),
    (_GUESTS, _PENDING),
    (_DROPPED, _UNDECIDED),
    (_PROPOSALS, _PROPOSED),
]
COUNTS = f"""
SELECT {", ".join(f"(SELECT count(*) {source} {waits})" for source, waits in COUNTED)},
  ({personal_needs.MENTION_COUNT}), ({personal_needs.WATCHED_COUNT})
"""


def _project_filter_and_page_sql(project_column: str, since_column: str, id_column: str) -> str:
    return f"""
AND (:project_id = '' OR {project_column} = :project_id) AND ({since_column}, {id_column}) > (:after, :after_id)
ORDER BY {since_column}, {id_column} LIMIT :limit
"""


QUESTIONS = f"""
SELECT 'question', q.id, q.asked_at, p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  q.question, u.id, u.name, u.kind, c.agent_model, NULL, NULL, NULL, NULL, NULL, c.session_id
{_QUESTIONS} {_SPEC} LEFT JOIN users u ON u.id = q.asked_by
LEFT JOIN claims c ON c.workspace_id = q.workspace_id AND c.action_id = q.action_id AND c.fence = (
  SELECT max(o.fence) FROM claims o WHERE o.workspace_id = q.workspace_id AND o.action_id = q.action_id
  AND o.user_id = q.asked_by AND o.taken_at <= q.asked_at)
{_OPEN} {_project_filter_and_page_sql("a.project_id", "q.asked_at", "q.id")}
"""

# The rows are selected first and filled afterwards: filling one costs more than selecting it.
REVIEWS = f"""
SELECT 'review', n.id, n.submitted_at, p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  n.summary, u.id, u.name, u.kind, c.agent_model, n.number, n.pr_url, n.branch, n.head_sha, NULL, c.session_id
FROM (
  SELECT n.id {_REVIEWS} {_NEWEST} {_UNJUDGED} {_project_filter_and_page_sql("a.project_id", "n.submitted_at", "n.id")}
) chosen
JOIN submissions n ON n.workspace_id = :workspace AND n.id = chosen.id
{_ACTION.format("n")} {_SPEC}
LEFT JOIN claims c ON c.workspace_id = n.workspace_id AND c.id = n.claim_id
LEFT JOIN users u ON u.id = n.submitted_by
"""

CLAIMS = f"""
SELECT 'claim', c.id, c.expires_at, p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  coalesce(c.last_message, ''), u.id, u.name, u.kind, c.agent_model, NULL, NULL, NULL, NULL, c.renewed_at,
  c.session_id
{_CLAIMS} {_SPEC} LEFT JOIN users u ON u.id = c.user_id
{_EXPIRED} {_project_filter_and_page_sql("a.project_id", "c.expires_at", "c.id")}
"""

REWORKS = f"""
SELECT 'rework', r.id, r.reviewed_at, p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  r.summary, u.id, u.name, u.kind, c.agent_model, n.number, n.pr_url, n.branch, n.head_sha, NULL, c.session_id
{_REWORKS} {_SPEC}
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
LEFT JOIN users u ON u.id = n.submitted_by
{_UNTOUCHED} {_project_filter_and_page_sql("a.project_id", "r.reviewed_at", "r.id")}
"""

TAKE_OVERS = f"""
SELECT 'take_over', c.id, l.ended_at, p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  coalesce(l.last_message, ''), u.id, u.name, u.kind, c.agent_model, NULL, NULL, NULL, NULL, c.renewed_at,
  c.session_id, l.session_id
{_TAKE_OVERS} {_SPEC} LEFT JOIN users u ON u.id = c.user_id
{_AT_WORK} {_project_filter_and_page_sql("a.project_id", "l.ended_at", "c.id")}
"""

GUESTS = f"""
SELECT 'guest', i.id, i.created_at, p.key, p.name, NULL, NULL, i.title, NULL, NULL,
  i.body, NULL, i.guest_name, 'guest', NULL, NULL, NULL, NULL, NULL, NULL, NULL
{_GUESTS} {_PENDING} {_project_filter_and_page_sql("i.project_id", "i.created_at", "i.id")}
"""

# Who dropped it, and when, is in the log; what was imported as dropped has no event.
DROPPED = f"""
WITH undecided AS MATERIALIZED (SELECT a.id FROM actions a {_UNDECIDED})
SELECT 'dropped', a.id, coalesce(ev.at, a.updated_at), p.key, p.name, a.id, a.ref_number, a.label, s.id, s.title,
  coalesce(a.state_reason, ''), u.id, coalesce(u.name, ''), coalesce(u.kind, 'person'), ev.agent_model, NULL, NULL,
  NULL, NULL, NULL, ev.agent_session_id
FROM undecided CROSS JOIN actions a
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id AND p.state <> 'archived'
{_SPEC}
LEFT JOIN events ev ON ev.workspace_id = a.workspace_id AND ev.seq = (
  SELECT max(o.seq) FROM events o WHERE o.workspace_id = a.workspace_id AND o.action_id = a.id
  AND o.kind IN ('action.dropped', 'action.moved'))
LEFT JOIN users u ON u.id = ev.actor_id
WHERE a.workspace_id = :workspace AND a.id = undecided.id
{_project_filter_and_page_sql("a.project_id", "coalesce(ev.at, a.updated_at)", "a.id")}
"""

PROPOSALS = f"""
SELECT 'proposal', d.id, d.created_at, p.key, p.name, NULL, NULL, d.title, s.id, s.title,
  d.kind, u.id, u.name, u.kind, d.agent_model, d.version, NULL, NULL, NULL, NULL, d.session_id
{_PROPOSALS} LEFT JOIN specs s ON s.workspace_id = d.workspace_id AND s.id = d.spec_id
LEFT JOIN users u ON u.id = d.author_id
{_PROPOSED} {_project_filter_and_page_sql("d.project_id", "d.created_at", "d.id")}
"""

MENTIONS = personal_needs.MENTIONS + _project_filter_and_page_sql("c.project_id", "n.created_at", "c.id")
WATCHED = personal_needs.WATCHED + _project_filter_and_page_sql("n.project_id", "n.at", "n.object_id")

QUERIES = {
    "question": QUESTIONS,
    "review": REVIEWS,
    "claim": CLAIMS,
    "rework": REWORKS,
    "take_over": TAKE_OVERS,
    "guest": GUESTS,
    "dropped": DROPPED,
    "proposal": PROPOSALS,
    "mention": MENTIONS,
    "watched": WATCHED,
}

AT_WORK = f"""
SELECT a.id, p.key, a.ref_number, a.label, u.id, u.name, u.kind, c.agent_model, c.renewed_at, c.expires_at,
  c.last_message, c.session_id
FROM (
  SELECT id FROM claims WHERE workspace_id = :workspace AND state = 'active' AND expires_at > :now
  ORDER BY renewed_at DESC, id LIMIT :limit
) chosen
JOIN claims c ON c.workspace_id = :workspace AND c.id = chosen.id
{_ACTION.format("c")}
JOIN users u ON u.id = c.user_id
ORDER BY c.renewed_at DESC, c.id
"""


def inbox_counts(tx: Tx, user_id: str, limits: Limits) -> InboxCounts:
    row = tx.one(COUNTS, user_id=user_id, **moments_of_all_kinds(tx.now, limits))
    assert row is not None
    return InboxCounts(*row)


def moments_of_all_kinds(now: int, limits: Limits) -> dict[str, int]:
    return {name: moment for kind in QUERIES for name, moment in _moments(now, limits, kind).items()}


def _moments(now: int, limits: Limits, kind: str) -> dict[str, int]:
    """What decides whether something of this kind waits by now."""
    if kind == "claim":
        return {"now": now, "answered_after": now - limits.lease_us}
    if kind == "rework":
        return {"reviewed_before": now - limits.rework_after_us}
    return {"now": now, "taken_after": now - TAKE_OVER_SHOWN_US} if kind == "take_over" else {}


def page(
    tx: Tx,
    user_id: str,
    kinds: list[str],
    project_id: str,
    after_since_and_id: tuple[int, str],
    limits: Limits,
    limit: int,
) -> list[InboxItem]:
    """The oldest first, after the one that began to wait at `after_since_and_id`: a page of each kind, merged."""
    after, after_id = after_since_and_id
    needs: list[InboxItem] = []
    for kind in kinds:
        names = {"project_id": project_id, "after": after, "after_id": after_id, "limit": limit}
        moments: dict[str, int | str] = {**_moments(tx.now, limits, kind)}
        if kind in ("mention", "watched"):
            moments["user_id"] = user_id
        needs += [InboxItem(*row) for row in tx.all(QUERIES[kind], **names, **moments)]
    first = sorted(needs, key=lambda need: (need.since, need.id))[:limit]
    return _with_dependents_of_dropped(tx, _with_criteria_of_reviews(tx, first))


def _with_criteria_of_reviews(tx: Tx, items: list[InboxItem]) -> list[InboxItem]:
    submitted = [item.action_id for item in items if item.kind == "review" and item.action_id]
    counts = criteria.counts_by_action_id(tx, submitted)
    return [
        item._replace(criteria=counts.get(item.action_id or "", CriteriaCounts())) if item.kind == "review" else item
        for item in items
    ]


def _with_dependents_of_dropped(tx: Tx, items: list[InboxItem]) -> list[InboxItem]:
    dropped = [item.id for item in items if item.kind == "dropped"]
    dependents = open_dependents_by_action_id(tx, dropped) if dropped else {}
    return [item._replace(dependents=dependents[item.id]) if item.kind == "dropped" else item for item in items]


def live_claims(tx: Tx, limit: int) -> list[LiveClaim]:
    """Whoever gave a sign of life last comes first."""
    return [LiveClaim(*row) for row in tx.all(AT_WORK, now=tx.now, limit=limit)]
