"""A desk with a past, filled by bulk SQL on either engine: most of its actions are done, some hundred are open.

One workspace, five projects, one of which has most of the actions. Whatever is closed lies years back, evenly; what is
open is the newest of each project. With an action come its events, its claim, its criterion, its submission and its
review, with a spec its plan, its build, a document with comments and a note; sessions of agents come and go with them.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.seed import (
    ACTION,
    AREAS,
    BUILD,
    CRITERION,
    PLAN,
    PROJECT,
    SENTENCE,
    SPEC,
    SPEC_ACTIONS,
    USER,
    WORKSPACE,
    Table,
    fill_postgres,
    fill_sqlite,
    ident,
)
from pendesk import clock
from pendesk.domain import token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.build import brief_revision_hash
from pendesk.domain.limits import DAY_US, TALLIED_DAYS
from pendesk.store.engine.json_text import to_json

CLAIM, SUBMISSION, REVIEW, EDGE, DOCUMENT, COMMENT, NOTE, AGENT, SESSION, RUN, SHARE, ITEM, QUESTION, ATTACHMENT = (
    range(16, 30)
)

PROJECTS = 5
PEOPLE = 20
AGENTS = 10
OPEN = 300
GUEST_ITEMS = 20
SESSION_ACTIONS = 10
AGE_US = 3 * 365 * DAY_US
EVENTS_EACH = 3
SECRET = "a cookie for benchmarks"
SHARE_SECRET = token.make_token(bytes(token.RANDOM_BYTES), token.SHARE_PREFIX)
# Of what is open, one after the other.
OPEN_STATES = (
    "todo",
    "todo",
    "in_review",
    "todo",
    "backlog",
    "todo",
    "in_progress",
    "todo",
    "scope",
    "todo",
    "changes_requested",
    "todo",
)


class Past(NamedTuple):
    actions: int
    now: int

    @property
    def specs(self) -> int:
        return -(-self.actions // SPEC_ACTIONS)

    @property
    def first_of_others(self) -> int:
        """The first project has four fifths of the actions, whole specs of them."""
        return self.specs * 4 // 5 * SPEC_ACTIONS

    def project_of(self, number: int) -> int:
        if number < self.first_of_others:
            return 0
        others = max(1, self.specs - self.first_of_others // SPEC_ACTIONS)
        return 1 + (number - self.first_of_others) // SPEC_ACTIONS * (PROJECTS - 1) // others

    def last_of_project(self, project: int) -> int:
        """One past it."""
        return next((n for n in range(0, self.actions, SPEC_ACTIONS) if self.project_of(n) > project), self.actions)

    def made_at(self, number: int) -> int:
        return self.now - AGE_US * (self.actions - number) // self.actions

    def ended_at(self, number: int) -> int:
        return min(self.made_at(number) + DAY_US, self.now)


class Places:
    """Where each project begins and ends, and which of its actions are open."""

    def __init__(self, past: Past) -> None:
        ends = [past.last_of_project(project) for project in range(PROJECTS)]
        self.ends = ends
        self.begins = [0, *ends[:-1]]
        open_in_all = min(OPEN, past.actions * 6 // 10)
        self.opens = [
            end - min(end - begin, open_in_all * (end - begin) // past.actions)
            for begin, end in zip(self.begins, ends, strict=True)
        ]

    def state_of(self, number: int, project: int) -> str:
        if number >= self.opens[project]:
            return OPEN_STATES[(number - self.opens[project]) % len(OPEN_STATES)]
        return "wont_do" if number % 20 == 7 else "done"

    def open_numbers(self, project: int, state: str) -> list[int]:
        return [n for n in range(self.opens[project], self.ends[project]) if self.state_of(n, project) == state]


def has_spec(number: int) -> bool:
    return number % 10 != 9


def agent_at(terminal: str = "laptop") -> Actor:
    """An agent of the second member, who takes part in everything."""
    user_id = ident(USER, 1)
    marks = frozenset({make_mark(MarkKind.PROCESS, terminal)})
    actor = Actor(ident(WORKSPACE, 0), user_id, "User 1", Role.MEMBER, ALL_SCOPES, "mcp")
    return actor._replace(token_id=ident(AGENT, 0), origin=CallOrigin("claude-code", terminal, marks=marks))


def person() -> Actor:
    return Actor(ident(WORKSPACE, 0), ident(USER, 0), "User 0", Role.OWNER, ALL_SCOPES, "web")


def seed_sqlite(path: Path, actions: int) -> None:
    fill_sqlite(path, tables(Past(actions, clock.now_us())))


def seed_postgres(url: str, actions: int) -> None:
    fill_postgres(url, tables(Past(actions, clock.now_us())))


def tables(past: Past) -> Iterator[Table]:
    places = Places(past)
    yield from _people(past)
    yield from _planned(past, places)
    yield _table("actions", _actions(past, places))
    yield _table("criteria", _criteria(past, places))
    yield _table("build_actions", _build_actions(past, places))
    yield _table("edges", _edges(past, places))
    yield _table("claims", _claims(past, places))
    yield _table("submissions", _submissions(past, places))
    yield _table("reviews", _reviews(past, places))
    yield _table("clarifications", _questions(past, places))
    yield _table("events", _events(past, places))
    yield _table("action_tallies", _tallies(past, places))
    yield _table("search_texts", _texts(past))
    yield from _guests(past)


def _table(name: str, rows: Iterator[dict[str, Any]]) -> Table:
    first = next(rows)
    columns = tuple(first)

    def values() -> Iterator[tuple[Any, ...]]:
        yield (ident(WORKSPACE, 0), *first.values())
        for row in rows:
            yield (ident(WORKSPACE, 0), *row.values())

    return Table(name, ("workspace_id", *columns), values())


def _people(past: Past) -> Iterator[Table]:
    workspace, now = ident(WORKSPACE, 0), past.now
    yield Table(
        "workspaces",
        ("id", "name", "created_at", "participation"),
        iter([(workspace, "Desk", now - AGE_US, "everyone")]),
    )
    yield Table("event_counters", ("workspace_id", "last_seq"), iter([(workspace, past.actions * EVENTS_EACH)]))
    users = ((ident(USER, n), "person", f"user{n}@example.com", f"User {n}", now - AGE_US) for n in range(PEOPLE))
    yield Table("users", ("id", "kind", "email", "name", "created_at"), users)
    roles = ({"user_id": ident(USER, n), "role": "member" if n else "owner", "added_at": now} for n in range(PEOPLE))
    yield _table("members", roles)
    session = (
        token.hash_secret(SECRET),
        ident(SESSION, 0),
        workspace,
        ident(USER, 0),
        now,
        now + AGE_US,
        0,
        "link",
        "",
    )
    columns = ("hash", "id", "workspace_id", "user_id", "created_at", "expires_at", "everywhere", "began_by", "browser")
    yield Table("sessions", columns, iter([session]))
    tokens = (
        {
            "id": ident(AGENT, n),
            "user_id": ident(USER, 1 + n),
            "name": f"Laptop {n}",
            "hash": token.hash_secret(f"token {n}"),
            "scopes": "specs.read builds.write",
            "created_at": now - AGE_US,
        }
        for n in range(AGENTS)
    )
    yield _table("tokens", tokens)
    yield _table(
        "agents",
        (
            {
                "id": ident(AGENT, n),
                "user_id": ident(USER, 1 + n),
                "name": f"Claude Code {n}",
                "client": "claude-code",
                "machine": f"machine {n}",
                "token_id": ident(AGENT, n),
                "created_at": now - AGE_US,
            }
            for n in range(AGENTS)
        ),
    )
    yield _table(
        "agent_sessions",
        (
            {
                "id": ident(SESSION, n),
                "agent_id": ident(AGENT, n % AGENTS),
                "token_id": ident(AGENT, n % AGENTS),
                "number": 1 + n // AGENTS % 5,
                "model": "claude-opus-5",
                "started_at": past.made_at(n * SESSION_ACTIONS),
                "last_seen_at": past.ended_at(n * SESSION_ACTIONS),
                "ended_at": past.ended_at(n * SESSION_ACTIONS),
            }
            for n in range(past.actions // SESSION_ACTIONS)
        ),
    )


def _planned(past: Past, places: Places) -> Iterator[Table]:
    owner, now = ident(USER, 0), past.now
    yield _table(
        "projects",
        (
            {
                "id": ident(PROJECT, n),
                "key": f"P{n}",
                "name": f"Project {n}",
                "description": SENTENCE,
                "state": "active",
                "last_ref": places.ends[n] - places.begins[n],
                "revision": 1,
                "created_by": owner,
                "created_at": now - AGE_US,
                "updated_at": now,
            }
            for n in range(PROJECTS)
        ),
    )
    yield _table("specs", (_spec(past, n) for n in range(past.specs)))
    yield _table(
        "plans",
        (
            {
                "id": ident(PLAN, n),
                "spec_id": ident(SPEC, n),
                "title": f"Plan {n}",
                "approach": SENTENCE * 2,
                **_written(past, n * SPEC_ACTIONS),
            }
            for n in range(past.specs)
        ),
    )
    yield _table(
        "builds",
        (
            {
                "id": ident(BUILD, n),
                "spec_id": ident(SPEC, n),
                "plan_id": ident(PLAN, n),
                "number": 1,
                "snapshot": _build_snapshot(n),
                "published_by": owner,
                "published_at": past.made_at(n * SPEC_ACTIONS),
            }
            for n in range(past.specs)
        ),
    )
    yield _table(
        "documents",
        (
            {
                "id": ident(DOCUMENT, n),
                "project_id": ident(PROJECT, past.project_of(n * SPEC_ACTIONS)),
                "title": f"Document {n}",
                "body": SENTENCE * 5,
                "status_line": "",
                **_written(past, n * SPEC_ACTIONS),
            }
            for n in range(past.specs)
        ),
    )
    yield _table("comments", (_comment(past, n) for n in range(past.specs * 2)))
    yield _table(
        "notes",
        (
            {
                "id": ident(NOTE, n),
                "project_id": ident(PROJECT, past.project_of(n * SPEC_ACTIONS)),
                "title": f"Note {n}",
                "body": SENTENCE,
                **_written(past, n * SPEC_ACTIONS),
            }
            for n in range(past.specs)
        ),
    )
    yield _table("agent_runs", (_run(past, n) for n in range(past.specs)))
    yield _table("revisions", _revisions(past))


def _written(past: Past, number: int) -> dict[str, Any]:
    at = past.made_at(number)
    return {"revision": 1, "created_by": ident(USER, 0), "created_at": at, "updated_at": at}


def _spec(past: Past, n: int) -> dict[str, Any]:
    return {
        "id": ident(SPEC, n),
        "project_id": ident(PROJECT, past.project_of(n * SPEC_ACTIONS)),
        "title": f"Spec {n}",
        "summary": SENTENCE * 2,
        "results": to_json([SENTENCE]),
        "conditions": to_json([SENTENCE]),
        "boundaries": to_json([SENTENCE]),
        "active_plan_id": ident(PLAN, n),
        "build_id": ident(BUILD, n),
        "build_number": 1,
        **_written(past, n * SPEC_ACTIONS),
    }


def _build_snapshot(spec: int) -> str:
    texts = {
        "id": ident(SPEC, spec),
        "title": f"Spec {spec}",
        "summary": SENTENCE * 2,
        "results": [SENTENCE],
        "conditions": [SENTENCE],
        "boundaries": [SENTENCE],
        "attachments": [],
        "revision": 1,
    }
    plan = {"id": ident(PLAN, spec), "title": f"Plan {spec}", "approach": SENTENCE * 2, "revision": 1}
    return to_json({"spec": texts, "plan": plan})


def _comment(past: Past, n: int) -> dict[str, Any]:
    at = past.made_at(n // 2 * SPEC_ACTIONS)
    return {
        "id": ident(COMMENT, n),
        "project_id": ident(PROJECT, past.project_of(n // 2 * SPEC_ACTIONS)),
        "document_id": ident(DOCUMENT, n // 2),
        "body": SENTENCE,
        "passage_lost": 0,
        "author_id": ident(USER, 0),
        "created_at": at,
        # Of the old ones most are settled.
        "resolved_at": at if n < past.specs * 2 - 40 else None,
        "resolved_by": ident(USER, 0) if n < past.specs * 2 - 40 else None,
    }


def _run(past: Past, n: int) -> dict[str, Any]:
    number = n * SPEC_ACTIONS
    return {
        "id": ident(RUN, n),
        "project_id": ident(PROJECT, past.project_of(number)),
        "action_id": ident(ACTION, number),
        "user_id": ident(USER, 1 + n % AGENTS),
        "label": "Nightly tidy",
        "model": "claude-opus-5",
        "status": "completed",
        "tokens": 120_000,
        "started_at": past.made_at(number),
        "last_at": past.ended_at(number),
        "ended_at": past.ended_at(number),
    }


def _revisions(past: Past) -> Iterator[dict[str, Any]]:
    lists = {"results": [SENTENCE], "conditions": [SENTENCE], "boundaries": [SENTENCE], "goalId": ""}
    for n in range(past.specs):
        contents: dict[int, dict[str, Any]] = {
            SPEC: {"title": f"Spec {n}", "summary": SENTENCE * 2, **lists},
            PLAN: {"title": f"Plan {n}", "approach": SENTENCE * 2},
            DOCUMENT: {"title": f"Document {n}", "body": SENTENCE * 5, "statusLine": ""},
            NOTE: {"title": f"Note {n}", "body": SENTENCE},
        }
        for kind, content in contents.items():
            yield {
                "object_id": ident(kind, n),
                "revision": 1,
                "content": to_json(content),
                "author_id": ident(USER, 0),
                "written_at": past.made_at(n * SPEC_ACTIONS),
            }


def _numbered(past: Past, places: Places) -> Iterator[tuple[int, int, str]]:
    """Number, project and state of every action."""
    for project in range(PROJECTS):
        for number in range(places.begins[project], places.ends[project]):
            yield number, project, places.state_of(number, project)


def _is_worked_on(state: str) -> bool:
    return state in ("done", "in_progress", "in_review", "changes_requested")


def _actions(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, project, state in _numbered(past, places):
        at, spec = past.made_at(number), number // SPEC_ACTIONS if has_spec(number) else None
        yield {
            "id": ident(ACTION, number),
            "project_id": ident(PROJECT, project),
            "spec_id": None if spec is None else ident(SPEC, spec),
            "plan_id": None if spec is None else ident(PLAN, spec),
            "ref_number": number - places.begins[project] + 1,
            "label": f"Action {number}: make the dispatcher quick",
            "description": SENTENCE * 2,
            "area": AREAS[number % len(AREAS)],
            "paths": "[]",
            "state": state,
            "state_reason": "Not needed." if state == "wont_do" else None,
            "priority": number % 4,
            "position": number % SPEC_ACTIONS,
            "fence": int(_is_worked_on(state)),
            "claim_id": ident(CLAIM, number) if _is_worked_on(state) else None,
            "news_event_id": 0,
            "revision": 1,
            "created_by": ident(USER, 0),
            "created_at": at,
            "updated_at": past.ended_at(number),
            "drop_accepted_at": at if state == "wont_do" else None,
            "drop_accepted_by": ident(USER, 0) if state == "wont_do" else None,
            "assignee_user_id": ident(USER, number // 5 % PEOPLE) if number % 5 == 0 else None,
            "due_on": "2027-01-14" if number % 7 == 0 else None,
            "labels": '["bug"]' if number % 6 == 0 else '["bug","ui"]' if number % 6 == 1 else None,
        }


def _criteria(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, _, state in _numbered(past, places):
        if has_spec(number):
            yield {
                "id": ident(CRITERION, number),
                "action_id": ident(ACTION, number),
                "position": 0,
                "text": SENTENCE,
                "status": "confirmed" if state == "done" else "pending",
                "revision": 1,
            }


def _build_actions(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, _, state in _numbered(past, places):
        if has_spec(number) and state not in ("backlog", "scope"):
            frozen = {
                "label": f"Action {number}: make the dispatcher quick",
                "description": SENTENCE * 2,
                "area": AREAS[number % len(AREAS)],
                "paths": [],
                "criteria": [{"id": ident(CRITERION, number), "text": SENTENCE, "revision": 1}],
            }
            snapshot = to_json(frozen)
            yield {
                "build_id": ident(BUILD, number // SPEC_ACTIONS),
                "action_id": ident(ACTION, number),
                "position": number % SPEC_ACTIONS,
                "snapshot": snapshot,
                "brief_rev": brief_revision_hash("", snapshot),
            }


def _edges(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    """Every second action comes before the next but one, so a sixth of what is in todo waits."""
    for number, project, _ in _numbered(past, places):
        if number % 6 == 0 and number + 2 < places.ends[project]:
            first, after = ident(ACTION, number), ident(ACTION, number + 2)
            yield {
                "id": ident(EDGE, number),
                "project_id": ident(PROJECT, project),
                "from_action_id": first,
                "to_action_id": after,
                "label": "blocks",
                "before_id": first,
                "after_id": after,
                "created_by": ident(USER, 0),
                "created_at": past.made_at(number),
            }


def _claims(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    states = {"done": "done", "in_progress": "active", "in_review": "submitted", "changes_requested": "submitted"}
    for number, _, state in _numbered(past, places):
        if _is_worked_on(state):
            at, ended_at = past.made_at(number), past.ended_at(number)
            agent = number // SESSION_ACTIONS % AGENTS
            # User 1 holds nothing, so that the one who measures may claim.
            agent += agent == 0 and state == "in_progress"
            yield {
                "id": ident(CLAIM, number),
                "action_id": ident(ACTION, number),
                "user_id": ident(USER, 1 + agent),
                "agent_model": "claude-opus-5",
                "fence": 1,
                "build_id": ident(BUILD, number // SPEC_ACTIONS) if has_spec(number) else None,
                "state": states[state],
                "taken_at": at,
                "renewed_at": past.now if state == "in_progress" else ended_at,
                "expires_at": past.now + DAY_US if state == "in_progress" else ended_at,
                "ended_at": ended_at if state == "done" else None,
                "told_event_id": 0,
                "session_id": ident(SESSION, min(number // SESSION_ACTIONS, past.actions // SESSION_ACTIONS - 1)),
                "kind": "lease" if has_spec(number) else "task",
            }


def _submissions(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, _, state in _numbered(past, places):
        if _is_worked_on(state) and state != "in_progress":
            yield {
                "id": ident(SUBMISSION, number),
                "action_id": ident(ACTION, number),
                "claim_id": ident(CLAIM, number),
                "build_id": ident(BUILD, number // SPEC_ACTIONS) if has_spec(number) else None,
                "number": 1,
                "pr_url": f"https://github.com/example/p/pull/{number}",
                "summary": SENTENCE,
                "head_sha": f"{number:040x}",
                "submitted_by": ident(USER, 1),
                "submitted_at": (past.made_at(number) + past.ended_at(number)) // 2,
            }


def _reviews(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, _, state in _numbered(past, places):
        if state in ("done", "changes_requested"):
            yield {
                "id": ident(REVIEW, number),
                "action_id": ident(ACTION, number),
                "submission_id": ident(SUBMISSION, number),
                "verdict": "approved" if state == "done" else "changes_requested",
                "summary": SENTENCE,
                "head_sha": f"{number:040x}",
                "reviewed_by": ident(USER, 0),
                "reviewed_at": past.ended_at(number),
            }


def _questions(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    for number, _, state in _numbered(past, places):
        if _is_worked_on(state) and number % 10 == 0:
            at, is_open = past.made_at(number), state == "in_progress"
            yield {
                "id": ident(QUESTION, number),
                "action_id": ident(ACTION, number),
                "question": SENTENCE,
                "asked_by": ident(USER, 1),
                "asked_at": at,
                "answer": None if is_open else SENTENCE,
                "answered_by": None if is_open else ident(USER, 0),
                "answered_at": None if is_open else at + DAY_US // 10,
                "answered_door": None if is_open else "web",
                "relayed": 0,
            }


def _events(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    kinds = (
        ("action.created", '{"state":"todo"}', "web"),
        ("action.claimed", '{"before":"todo","after":"in_progress","fence":1}', "mcp"),
        ("action.reviewed", '{"before":"in_review","after":"done","verdict":"approved"}', "web"),
    )
    for number, project, _ in _numbered(past, places):
        for place, (kind, data, door) in enumerate(kinds):
            yield {
                "seq": number * EVENTS_EACH + place + 1,
                "at": past.made_at(number),
                "kind": kind,
                "actor_id": ident(USER, 1 if door == "mcp" else 0),
                "agent_model": "claude-opus-5" if door == "mcp" else None,
                "door": door,
                "object_id": ident(CLAIM if door == "mcp" else ACTION, number),
                "project_id": ident(PROJECT, project),
                "spec_id": ident(SPEC, number // SPEC_ACTIONS) if has_spec(number) else None,
                "action_id": ident(ACTION, number),
                "data": data,
            }


def _tallies(past: Past, places: Places) -> Iterator[dict[str, Any]]:
    oldest = past.now // DAY_US - TALLIED_DAYS
    counts: Counter[tuple[int, str, int]] = Counter()
    for number, project, state in _numbered(past, places):
        made, ended = (at // DAY_US for at in (past.made_at(number), past.ended_at(number)))
        counts[project, "made", made if made >= oldest else 0] += 1
        if state in ("done", "wont_do"):
            counts[project, state, ended if ended >= oldest else 0] += 1
    for (project, kind, day), count in counts.items():
        yield {"project_id": ident(PROJECT, project), "kind": kind, "day": day, "id": "", "count": count}


def _texts(past: Past) -> Iterator[dict[str, Any]]:
    """Words that are in every text, and one that is in thirty of them."""
    for number in range(past.actions):
        rare = " lighthouse" if number >= past.actions - 30 else ""
        title = f"action {number} make the dispatcher quick{rare}"
        yield {
            "object_id": ident(ACTION, number),
            "project_id": ident(PROJECT, past.project_of(number)),
            "kind": "action",
            "title": title,
            "body": SENTENCE,
            "title_words": title,
            "body_words": "the server answers only after the commit",
        }


def _guests(past: Past) -> Iterator[Table]:
    shares = (
        {
            "id": ident(SHARE, 0),
            "project_id": ident(PROJECT, 0),
            "hash": token.hash_secret(SHARE_SECRET),
            "created_by": ident(USER, 0),
            "created_at": past.now,
            "takes_items": 1,
            "owner_id": ident(USER, 0),
        }
        for _ in range(1)
    )
    yield _table("shares", shares)
    items = (
        {
            "id": ident(ITEM, n),
            "project_id": ident(PROJECT, 0),
            "share_id": ident(SHARE, 0),
            "guest_name": "Grace",
            "title": "Show the wind",
            "body": SENTENCE,
            "status": "pending",
            "created_at": past.now,
        }
        for n in range(GUEST_ITEMS)
    )
    yield _table("inbox_items", items)
    attachment = {
        "id": ident(ATTACHMENT, 0),
        "project_id": ident(PROJECT, 0),
        "spec_id": ident(SPEC, 0),
        "name": "chart.png",
        "media_type": "image/png",
        "size_bytes": 1,
        "sha256": "0" * 64,
        "storage_key": "0" * 64,
        "added_by": ident(USER, 0),
        "added_at": past.now,
    }
    yield _table("attachments", iter([attachment]))
