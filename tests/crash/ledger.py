"""What was acknowledged, and whether a database still has all of it, once, and nothing by halves."""

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from pendesk.domain.criterion import RANK
from tests.crash.load import CRITERIA, Told, World

Rows = Callable[[str], list[tuple[Any, ...]]]

# Operation -> the event it leaves and the place of what makes the call unlike every other: (argument, event data).
UNIQUE = {
    "update_progress": ("action.progressed", "message", "message"),
    "report_commit": ("commit.reported", "sha", "sha"),
    "report_test_result": ("test.reported", "evidence", "evidence"),
    "request_clarification": ("clarification.asked", "question", "question"),
    "answer_clarification": ("clarification.answered", "answer", "answer"),
    "submit_for_review": ("action.submitted", "summary", "summary"),
}


class Ledger:
    def __init__(self, world: World) -> None:
        self.world = world
        self.tried: dict[str, Told] = {}  # without a word since
        self.acknowledged: dict[str, Told] = {}
        self.refused: dict[str, Told] = {}
        self.faults: list[str] = []

    def hear(self, told: Told) -> None:
        if told.said == "try":
            self.tried[told.key] = told
        elif told.said == "unknown":
            pass
        else:
            self.tried.pop(told.key, None)
            if told.said == "ack":
                self._acknowledge(told)
            else:
                self.refused[told.key] = told

    def _acknowledge(self, told: Told) -> None:
        former = self.acknowledged.get(told.key)
        if former is not None and former.answer != told.answer:
            self.faults.append(f"{told.key}: repeated, and answered otherwise: {former.answer} / {told.answer}")
        self.acknowledged[told.key] = told

    def check(self, rows: Rows) -> list[str]:
        """Everything that is wrong. Empty when the database kept its word."""
        faults, self.faults = self.faults, []
        found = Found(rows, self.world.workspace)
        faults += found.halves()
        for told in self.acknowledged.values():
            fault = found.lacks(told)
            if fault:
                faults.append(f"lost: {told.operation} {told.key}: {fault}")
        faults += [
            f"refused, yet there: {told.operation} {told.key} ({told.answer})"
            for told in self.refused.values()
            if found.has_trace(told)
        ]
        return faults


class Found:
    """One look at the whole workspace."""

    def __init__(self, rows: Rows, workspace: str) -> None:
        def of(table: str, columns: str, order: str = "1") -> list[tuple[Any, ...]]:
            return rows(f"SELECT {columns} FROM {table} WHERE workspace_id = '{workspace}' ORDER BY {order}")

        self.events = [
            (seq, kind, object_id, action_id, json.loads(data))
            for seq, kind, object_id, action_id, data in of(
                "recorded_events", "seq, kind, object_id, action_id, data", "coalesce(seq, 1000000000000), id"
            )
        ]
        self.numbers = [event[0] for event in self.events if event[0] is not None]
        self.actions = {row[0]: row[1:] for row in of("actions", "id, state, claim_id, fence, ref_number")}
        self.claims = {
            row[0]: row[1:] for row in of("claims", "id, action_id, user_id, fence, state, last_message, expires_at")
        }
        self.commits = {sha: commit_id for commit_id, sha in of("commits", "id, sha")}
        self.commit_actions = set(of("commit_actions", "commit_id, action_id", "1, 2"))
        self.commit_criteria = set(of("commit_criteria", "commit_id, criterion_id", "1, 2"))
        self.results = {row[0]: row[1:] for row in of("test_results", "evidence, id, outcome")}
        self.evidence = {row[0] for row in of("evidence", "source_id")}
        self.questions = {row[0]: row[1:] for row in of("clarifications", "id, question, answer")}
        self.submissions = {row[0]: row[1:] for row in of("submissions", "summary, id, action_id")}
        self.criteria = {row[0]: row[1:] for row in of("criteria", "id, action_id, status")}
        self.keys = {row[0] for row in of("idempotency_keys", "key")}
        self.last_ref = [row[0] for row in of("projects", "last_ref")]
        self.counter = [row[0] for row in of("event_counters", "last_seq")]
        self.uniques: Counter[tuple[str, str]] = Counter()
        self.objects: Counter[tuple[str, str]] = Counter()
        places = {kind: place for kind, _, place in UNIQUE.values()}
        for _, kind, object_id, _, data in self.events:
            self.objects[kind, object_id] += 1
            if kind in places:
                self.uniques[kind, data[places[kind]]] += 1

    def lacks(self, told: Told) -> str | None:
        """What is missing of an acknowledged call, in the tables and in the log."""
        if told.key not in self.keys:
            return "no remembered answer"
        if told.operation in UNIQUE:
            kind, argument, _ = UNIQUE[told.operation]
            if self.uniques[kind, told.arguments[argument]] != 1:
                return "no event"
        look: Callable[[Told], bool] = getattr(self, f"_{told.operation}")
        return None if look(told) else "no row"

    def has_trace(self, told: Told) -> bool:
        if told.operation in UNIQUE:
            kind, argument, _ = UNIQUE[told.operation]
            if self.uniques[kind, told.arguments[argument]]:
                return True
        return told.key in self.keys

    def _claim_action(self, told: Told) -> bool:
        claim = told.answer["claim"]
        row = self.claims.get(claim["id"])
        return row is not None and row[2] == claim["fence"] and self.objects["action.claimed", claim["id"]] == 1

    def _update_progress(self, told: Told) -> bool:
        return told.answer["claim"]["id"] in self.claims  # its message: see halves()

    def _report_commit(self, told: Told) -> bool:
        commit_id = self.commits.get(told.arguments["sha"])
        picked = told.arguments["criterion_ids"]
        return (
            commit_id is not None
            and (commit_id, told.arguments["action_pid"]) in self.commit_actions
            and all((commit_id, one) in self.commit_criteria for one in picked)
            and all(RANK[self.criteria[one][1]] >= RANK["implemented"] for one in picked)
        )

    def _report_test_result(self, told: Told) -> bool:
        row = self.results.get(told.arguments["evidence"])
        status = self.criteria[told.arguments["criterion_id"]][1]
        return row is not None and (row[1] == "failed" or RANK[status] >= RANK["validated"])

    def _request_clarification(self, told: Told) -> bool:
        row = self.questions.get(told.answer["pid"])
        return row is not None and row[0] == told.arguments["question"]

    def _answer_clarification(self, told: Told) -> bool:
        row = self.questions.get(told.arguments["clarification_pid"])
        return row is not None and row[1] == told.arguments["answer"]

    def _submit_for_review(self, told: Told) -> bool:
        row = self.submissions.get(told.arguments["summary"])
        action = self.actions[told.arguments["action_pid"]]
        return row is not None and row[1] == told.arguments["action_pid"] and action[0] == "in_review"

    def _release_action(self, told: Told) -> bool:
        claim = told.arguments["claim_id"]
        return self.claims[claim][3] == "released" and self.objects["action.released", claim] == 1

    def halves(self) -> list[str]:
        """Every write leaves rows and an event together; one without the other is half a write."""
        faults = []
        if self.numbers != list(range(1, len(self.numbers) + 1)):
            faults.append("events: numbers with gaps")
        if self.counter not in ([], [0], [len(self.numbers)]):  # SQLite does not use the counter
            faults.append(f"events: the counter says {self.counter}, there are {len(self.numbers)}")
        faults += [f"twice: {unique}" for unique, times in self.uniques.items() if times > 1]
        pairs = [
            ("action.claimed", set(self.claims)),
            ("clarification.asked", set(self.questions)),
            ("clarification.answered", {one for one, row in self.questions.items() if row[1] is not None}),
            ("commit.reported", set(self.commits.values())),
            ("test.reported", {row[0] for row in self.results.values()}),
            ("action.submitted", {row[0] for row in self.submissions.values()}),
            ("action.released", {one for one, row in self.claims.items() if row[3] == "released"}),
        ]
        for kind, there in pairs:
            logged = {object_id for seen, object_id in self.objects if seen == kind}
            faults += [f"half: {kind} {one}" for one in logged ^ there]
        passed = {row[0] for row in self.results.values() if row[1] == "passed"}
        faults += [f"half: evidence of {one}" for one in passed ^ self.evidence]
        return faults + self._actions() + self._criteria() + self._last_messages()

    def _actions(self) -> list[str]:
        faults = []
        active = defaultdict(list)
        for claim_id, (action_id, _, fence, state, *_) in self.claims.items():
            if state == "active":
                active[action_id].append((claim_id, fence))
        criteria = Counter(row[0] for row in self.criteria.values())
        for action_id, (state, claim_id, fence, _) in self.actions.items():
            expected = [(claim_id, fence)] if state == "in_progress" else []
            if active[action_id] != expected:
                faults.append(f"half: action {action_id} is {state}, its active claims are {active[action_id]}")
            if criteria[action_id] != CRITERIA:
                faults.append(f"half: action {action_id} has {criteria[action_id]} criteria")
        refs = sorted(row[3] for row in self.actions.values())
        if self.last_ref and refs != list(range(1, self.last_ref[0] + 1)):
            faults.append("half: ref numbers with gaps")
        holders = Counter(row[1] for row in self.claims.values() if row[3] == "active")
        return faults + [f"user {one} holds {count}" for one, count in holders.items() if count > 3]

    def _criteria(self) -> list[str]:
        """A criterion is where the newest event that moved it says."""
        moved: dict[str, str] = {}
        for _, kind, _, _, data in self.events:
            if kind == "criterion.advanced":
                moved |= {criterion["criterionId"]: data["after"] for criterion in data["criteria"]}
        return [
            f"half: criterion {criterion_id} is {row[1]}, the log says {moved.get(criterion_id, 'pending')}"
            for criterion_id, row in self.criteria.items()
            if row[1] != moved.get(criterion_id, "pending")
        ]

    def _last_messages(self) -> list[str]:
        """A claim's last message is that of its newest progress in the log."""
        holding: dict[str, str] = {}
        newest: dict[str, str] = {}
        for _, kind, object_id, action_id, data in self.events:
            if kind == "action.claimed":
                holding[action_id] = object_id
            elif kind == "action.progressed":
                newest[holding[action_id]] = data["message"]
        return [
            f"half: claim {one} says {row[4]}, the log {newest.get(one)}"
            for one, row in self.claims.items()
            if row[4] != newest.get(one)
        ]


def some(ledger: Ledger, count: int) -> list[Told]:
    """What the next start repeats: everything without an answer, and a few of the last answers."""
    kept = list(ledger.acknowledged.values())[-count:]
    return list(itertools.chain(ledger.tried.values(), kept))
