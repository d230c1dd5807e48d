"""The real door on both stores against the reference: any sequence of calls, at any time, has the same outcome."""

import asyncio
import hashlib
import os
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from pendesk.domain.errors import Refusal
from pendesk.ids import new_id
from pendesk.store import events
from tests.desk import MINUTE, SECOND, HandClock, TestDesk
from tests.model.reference import LIVE_CLAIMS, STATUSES, Action, Reference
from tests.workbench import drafted_spec

NEEDS: list[list[int]] = [[], [], [0], [0, 1], []]
CRITERIA = 2
BUILDERS = 3
KEY_LIFE = 24 * 60 * MINUTE
PROFILES = {"quick": (25, 40), "thorough": (400, 120)}

numbers = st.integers(0, len(NEEDS) - 1)
people = st.integers(0, 2 * BUILDERS + 1)  # the upper half means: whoever holds the action
fences = st.sampled_from(["none", "none", "current", "old", "made up"])
some_criteria = st.lists(st.integers(0, CRITERIA), max_size=3, unique=True)  # the last one is not of this action
waits = st.sampled_from([SECOND, 31 * SECOND, 14 * MINUTE, 16 * MINUTE, 31 * MINUTE, 8 * 60 * MINUTE, 25 * 60 * MINUTE])
words = st.sampled_from(["", "", "", "new key"])


class Keyed:
    """A call that was made with an idempotency key, and its answer."""

    def __init__(self, user: int, operation: str, arguments: dict[str, Any], answer: Any, at: int) -> None:
        self.user = user
        self.operation = operation
        self.arguments = arguments
        self.answer = answer
        self.at = at


class BuildingLoop(RuleBasedStateMachine):
    def __init__(self, runner: asyncio.Runner, desk: TestDesk) -> None:
        super().__init__()
        self.runner = runner
        self.desk = TestDesk(desk.store, desk.clock)
        self.keyed: list[Keyed] = []
        self.shas = 0
        self.clock_went_back = False

    @initialize()
    def set_up(self) -> None:
        self.runner.run(self._set_up())
        names = [actor.user_id for actor in self.builders]
        actions = [Action(["pending"] * CRITERIA, list(needs)) for needs in NEEDS]
        self.reference = Reference(names, actions, self.desk.clock())
        self.claim_ids: list[list[str]] = [[] for _ in NEEDS]
        self.questions: list[list[str]] = [[] for _ in NEEDS]
        self.items: list[list[str]] = [[] for _ in NEEDS]
        self.seen = self._read()

    async def _set_up(self) -> None:
        await self.desk.open()
        self.author = await self.desk.person("Author")
        self.builders = [await self.desk.person(f"Builder{each}") for each in range(BUILDERS)]
        self.outsider = await self.desk.person("Outsider")
        self.everyone = [*self.builders, self.outsider]
        work = await drafted_spec(self.desk, self.author, actions=len(NEEDS), criteria=CRITERIA)
        self.spec_id, self.actions = work.spec_id, work.actions
        for number, needs in enumerate(NEEDS):
            for needed in needs:
                ends = {"from_task_id": self._pid(number), "to_task_id": self._pid(needed)}
                await self.desk.call(self.author, "create_edge", project_id=work.project_id, label="depends_on", **ends)
        for builder in self.builders:
            await self.desk.call(self.author, "add_participant", spec_id=self.spec_id, user_id=builder.user_id)
        await self.desk.call(self.author, "publish_build", spec_id=self.spec_id)

    # Choosing

    def _pid(self, number: int) -> str:
        pid: str = self.actions[number]["pid"]
        return pid

    def _who(self, person: int, number: int) -> Any:
        last = self.reference.actions[number].last
        if person > BUILDERS and last is not None:
            return next(actor for actor in self.everyone if actor.user_id == last.user)
        return self.everyone[person % len(self.everyone)]

    def _named(self, word: str, number: int) -> tuple[int | None, dict[str, str]]:
        """Which claim the caller names: for the reference its fence, for the door its id."""
        known = self.claim_ids[number]
        if word == "current" and known:
            return len(known), {"claim_id": known[-1]}
        if word == "old" and len(known) > 1:
            return len(known) - 1, {"claim_id": known[-2]}
        if word == "made up":
            return 0, {"claim_id": new_id()}
        return None, {}

    def _criteria(self, number: int, which: list[int]) -> list[str]:
        known = self.actions[number]["criteria"]
        stranger = self.actions[number - 1]["criteria"][0]
        return [known[each] if each < CRITERIA else stranger for each in which]

    # Calling

    def _send(self, actor: Any, operation: str, arguments: dict[str, Any]) -> tuple[str, Any]:
        try:
            return "ok", self.runner.run(self.desk.call(actor, operation, **arguments))
        except Refusal as refused:
            return refused.code, refused

    def _do(self, actor: Any, operation: str, arguments: dict[str, Any], key: str, method: str, *args: Any) -> Any:
        """The same call on both sides; the outcomes and the logged events must agree."""
        if key:
            arguments = {**arguments, "idempotency_key": new_id()}
        expected, kinds = self.reference.attempt(method, *args)
        outcome, answer = self._send(actor, operation, arguments)
        assert outcome == expected, f"{operation} gave {outcome}, the reference says {expected}"
        assert self._new_events() == kinds
        if key and outcome == "ok":
            self.keyed.append(Keyed(self._index(actor), operation, arguments, answer, self.desk.clock()))
        return answer if outcome == "ok" else None

    def _index(self, actor: Any) -> int:
        return next(index for index, each in enumerate(self.everyone) if each.user_id == actor.user_id)

    def _new_events(self) -> list[str]:
        found = self.runner.run(
            self.desk.store.read(self.desk.workspace, lambda tx: events.after(tx, self.seen["seq"], 100))
        )
        assert [event.seq for event in found] == list(range(self.seen["seq"] + 1, self.seen["seq"] + 1 + len(found))), (
            "events have gaps"
        )
        return [event.kind for event in found]

    # What agents do

    @rule(person=people, number=numbers, key=words)
    def claim_action(self, person: int, number: int, key: str) -> None:
        actor = self._who(person, number)
        fence = self.reference.actions[number].fence
        answer = self._do(actor, "claim_action", {"action_pid": self._pid(number)}, key, "claim", actor.user_id, number)
        if answer is None:
            return
        assert answer["status"] == "started"
        assert answer["claimedBy"] == actor.user_id
        if answer["claim"]["fence"] > fence:
            assert answer["claim"]["fence"] == fence + 1
            self.claim_ids[number].append(answer["claim"]["id"])
        assert answer["claim"]["id"] == self.claim_ids[number][-1]

    @rule(person=people, number=numbers, which=fences, key=words)
    def release_action(self, person: int, number: int, which: str, key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        arguments = {"action_pid": self._pid(number), **named}
        self._do(actor, "release_action", arguments, key, "release", actor.user_id, number, fence)

    @rule(
        person=people,
        number=numbers,
        which=fences,
        status=st.sampled_from(["started", "started", "started", "not-started", "wont-do"]),
        key=words,
    )
    def update_progress(self, person: int, number: int, which: str, status: str, key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        arguments = {"action_pid": self._pid(number), "status": status, "message": "Wrote the form.", **named}
        self._do(actor, "update_progress", arguments, key, "progress", actor.user_id, number, fence, status)

    @rule(person=people, number=numbers)
    def get_action_brief(self, person: int, number: int) -> None:
        actor = self._who(person, number)
        arguments = {"action_pid": self._pid(number)}
        answer = self._do(actor, "get_action_brief", arguments, "", "brief", actor.user_id, number)
        action = self.reference.actions[number]
        assert [one["status"] for one in answer["action"]["acceptanceCriteria"]] == action.criteria
        assert len(answer["openClarifications"]) == action.questions.count(False)
        last = action.last
        mine = last is not None and last.user == actor.user_id
        superseded = last is not None and last.build != self.reference.build
        if mine and last is not None and last.state in ("active", "submitted"):
            assert ("advisory" in answer) == superseded
        assert ("claim" in answer) == (mine and self.reference.is_live(last))

    @rule(person=people, number=numbers, which=fences, criteria=some_criteria, key=words)
    def report_commit(self, person: int, number: int, which: str, criteria: list[int], key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        self.shas += 1
        arguments = {
            "action_pid": self._pid(number),
            "sha": hashlib.sha1(str(self.shas % 7).encode()).hexdigest(),
            "message": "Add the form",
            "criterion_ids": self._criteria(number, criteria),
            **named,
        }
        self._do(actor, "report_commit", arguments, key, "commit", actor.user_id, number, fence, criteria)

    @rule(
        person=people,
        number=numbers,
        which=fences,
        criterion=st.integers(0, CRITERIA),
        outcome=st.sampled_from(["passed", "failed"]),
        key=words,
    )
    def report_test_result(self, person: int, number: int, which: str, criterion: int, outcome: str, key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        arguments = {
            "action_pid": self._pid(number),
            "criterion_id": self._criteria(number, [criterion])[0],
            "outcome": outcome,
            **named,
        }
        args = (actor.user_id, number, fence, criterion, outcome)
        self._do(actor, "report_test_result", arguments, key, "test_result", *args)

    @rule(person=people, number=numbers, which=fences, key=words)
    def request_clarification(self, person: int, number: int, which: str, key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        arguments = {"action_pid": self._pid(number), "question": "Which colour?", **named}
        answer = self._do(actor, "request_clarification", arguments, key, "ask", actor.user_id, number, fence)
        if answer is not None:
            self.questions[number].append(answer["pid"])

    @rule(person=people, number=numbers, question=st.integers(0, 3), key=words)
    def answer_clarification(self, person: int, number: int, question: int, key: str) -> None:
        if not self.questions[number]:
            return
        question %= len(self.questions[number])
        actor = self._who(person, number)
        arguments = {"clarification_pid": self.questions[number][question], "answer": "Blue."}
        self._do(actor, "answer_clarification", arguments, key, "relay", actor.user_id, number, question)

    @rule(person=people, number=numbers, which=fences, criteria=some_criteria, key=words)
    def submit_for_review(self, person: int, number: int, which: str, criteria: list[int], key: str) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        arguments = {**self._handed_over(number, criteria), **named}
        self._do(actor, "submit_for_review", arguments, key, "submit", actor.user_id, number, fence, criteria)

    @rule(
        person=people,
        number=numbers,
        which=fences,
        criteria=some_criteria,
        left_out=st.sampled_from([False, False, True]),
        key=words,
    )
    def resubmit_for_review(
        self, person: int, number: int, which: str, criteria: list[int], left_out: bool, key: str
    ) -> None:
        actor, (fence, named) = self._who(person, number), self._named(which, number)
        disposed = [each for each, done in enumerate(self.reference.actions[number].items) if not done][left_out:]
        entries = [
            {"itemId": self.items[number][each], "disposition": "fixed", "note": "In the last commit."}
            for each in disposed
        ]
        arguments = {**self._handed_over(number, criteria), "dispositions": entries, **named}
        args = (actor.user_id, number, fence, criteria, disposed)
        self._do(actor, "resubmit_for_review", arguments, key, "resubmit", *args)

    def _handed_over(self, number: int, criteria: list[int]) -> dict[str, Any]:
        evidence = [{"criterionId": each, "evidence": "12/12 passed"} for each in self._criteria(number, criteria)]
        return {
            "action_pid": self._pid(number),
            "pr_url": "https://example.com/pr/1",
            "summary": "The form works.",
            "evidence": evidence,
        }

    # What people do

    @rule(number=numbers, question=st.integers(0, 3))
    def answer_question(self, number: int, question: int) -> None:
        if "answer_question" not in self.desk.door.operations or not self.questions[number]:
            return
        question %= len(self.questions[number])
        arguments = {"clarification_pid": self.questions[number][question], "answer": "Green."}
        self._do(self.author, "answer_question", arguments, "", "answer", number, question)

    @rule(
        number=numbers,
        verdict=st.sampled_from(["approved", "approved", "changes_requested"]),
        word=st.sampled_from(["confirmed", "confirmed", "rejected"]),
        told=st.integers(0, CRITERIA),
        items=st.integers(0, 2),
    )
    def review_action(self, number: int, verdict: str, word: str, told: int, items: int) -> None:
        verdicts = dict.fromkeys(range(told), word)
        entries = [{"criterionId": self.actions[number]["criteria"][each], "verdict": word} for each in verdicts]
        arguments = {
            "action_pid": self._pid(number),
            "verdict": verdict,
            "summary": "Looked at it.",
            "verdicts": entries,
            "items": [{"text": f"Change {each}"} for each in range(items)],
        }
        answer = self._do(self.author, "review_action", arguments, "", "review", number, verdict, verdicts, items)
        if answer is not None:
            self.items[number] = self._review_items(number)
            assert len(self.items[number]) == len(self.reference.actions[number].items)

    def _review_items(self, number: int) -> list[str]:
        last = self.reference.actions[number].last
        if last is None or last.state != "submitted":
            return []
        brief = self.runner.run(self.desk.call(self.author, "get_action_brief", action_pid=self._pid(number)))
        return [item["id"] for item in brief["review"]["items"]]

    @rule(number=numbers)
    def release_claim(self, number: int) -> None:
        arguments = {"action_pid": self._pid(number), "reason": "It went quiet."}
        self._do(self.author, "release_claim", arguments, "", "take_away", number)

    @rule()
    def publish_build(self) -> None:
        self._do(self.author, "publish_build", {"spec_id": self.spec_id}, "", "publish")

    @rule(number=numbers, person=people)
    def carry_through(self, number: int, person: int) -> None:
        """The straight way, so that deep states are reached often: claim, hand over, approve."""
        self.claim_action(person, number, "")
        self.the_records_agree()
        self.submit_for_review(2 * BUILDERS, number, "current", [0, 1], "")
        self.the_records_agree()
        self.review_action(number, "approved", "confirmed", CRITERIA, 0)

    # Keys that come again

    @rule(which=st.integers(0, 10), other_body=st.booleans())
    def repeat_a_call(self, which: int, other_body: bool) -> None:
        fresh = [call for call in self.keyed if self.desk.clock() - call.at < KEY_LIFE]
        if not fresh:
            return
        call = fresh[which % len(fresh)]
        arguments = {**call.arguments, "claim_id": new_id()} if other_body else call.arguments
        if (
            other_body
            and "claim_id" not in call.arguments
            and call.operation in ("claim_action", "answer_clarification")
        ):
            arguments = {**call.arguments, ("answer" if "answer" in call.arguments else "agent_model"): "another"}
        outcome, answer = self._send(self.everyone[call.user], call.operation, arguments)
        assert outcome == ("idempotency_key_reused" if other_body else "ok")
        assert other_body or answer == call.answer
        assert self._new_events() == []

    # Time

    @rule(wait=waits)
    def time_goes_on(self, wait: int) -> None:
        self.desk.clock.forward(wait)
        self.reference.now = self.desk.clock()

    # What must always hold

    @invariant()
    def the_records_agree(self) -> None:
        if not hasattr(self, "reference"):
            return
        now = self._read()
        for number, action in enumerate(self.reference.actions):
            found = now["actions"][self._pid(number)]
            reason = "changes_requested" if action.sent_back and action.state == "in_review" else None
            if action.state == "wont_do":
                reason = "Wrote the form."
            assert found == (action.state, reason, action.fence), f"action {number}"
            statuses = [now["criteria"][each] for each in self.actions[number]["criteria"]]
            assert statuses == action.criteria
            claims = [(claim.user, claim.fence, claim.state, claim.expires_at) for claim in action.claims]
            assert now["claims"].get(self._pid(number), []) == claims
            assert now["submissions"].get(self._pid(number), 0) == action.submissions
        self._check_laws(now)
        self.seen = now

    def _check_laws(self, now: dict[str, Any]) -> None:
        """What holds whatever the reference says."""
        for ident, status in now["criteria"].items():
            assert STATUSES.index(status) >= STATUSES.index(self.seen["criteria"][ident]), "a criterion moved back"
        moment, live = self.desk.clock(), dict.fromkeys((each.user_id for each in self.everyone), 0)
        for claims in now["claims"].values():
            fences = [fence for _, fence, _, _ in claims]
            assert fences == sorted(set(fences)), "a fence was given twice or backwards"
            assert sum(state == "active" for _, _, state, _ in claims) <= 1, "two holders"
            for user, _, state, expires_at in claims:
                live[user] += state == "active" and expires_at > moment
        assert self.clock_went_back or max(live.values()) <= LIVE_CLAIMS, "more live claims than allowed"
        assert now["count"] == now["seq"] >= self.seen["seq"], "the log has a gap"

    def _read(self) -> dict[str, Any]:
        return self.runner.run(self.desk.store.read(self.desk.workspace, _records))


class BadClock(BuildingLoop):
    """The same at a store whose clock also jumps back: leases that had ended live again, but nobody holds twice."""

    @rule(wait=waits)
    def time_goes_back(self, wait: int) -> None:
        self.clock_went_back = True
        self.time_goes_on(-wait)


def _records(tx: Any) -> dict[str, Any]:
    claims: dict[str, list[tuple[Any, ...]]] = {}
    for action_id, *claim in tx.all(
        "SELECT action_id, user_id, fence, state, expires_at FROM claims WHERE workspace_id = :workspace ORDER BY fence"
    ):
        claims.setdefault(action_id, []).append(tuple(claim))
    count, seq = tx.one("SELECT count(*), coalesce(max(seq), 0) FROM events WHERE workspace_id = :workspace")
    return {
        "actions": {
            row[0]: tuple(row[1:])
            for row in tx.all("SELECT id, state, state_reason, fence FROM actions WHERE workspace_id = :workspace")
        },
        "criteria": dict(tx.all("SELECT id, status FROM criteria WHERE workspace_id = :workspace")),
        "claims": claims,
        "submissions": dict(
            tx.all("SELECT action_id, count(*) FROM submissions WHERE workspace_id = :workspace GROUP BY action_id")
        ),
        "count": count,
        "seq": seq,
    }


def test_the_building_loop_agrees_with_the_reference(open_store):
    run_against(BuildingLoop, open_store)


def test_a_clock_that_jumps_back_makes_no_second_holder(open_store):
    run_against(BadClock, open_store)


def run_against(machine: type[BuildingLoop], open_store: Any) -> None:
    examples, steps = PROFILES[os.environ.get("PENDESK_MODEL", "quick")]
    with asyncio.Runner() as runner:
        clock = HandClock()
        desk = TestDesk(open_store(clock), clock)
        try:
            run_state_machine_as_test(
                cast(Any, lambda: machine(runner, desk)),  # a factory will do, whatever its types say
                settings=settings(
                    max_examples=examples,
                    stateful_step_count=steps,
                    deadline=None,
                    database=None,
                    derandomize=os.environ.get("PENDESK_MODEL", "quick") == "quick",
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(desk.store.close())
