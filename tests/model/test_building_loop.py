"""The dispatcher on both stores against the reference: any sequence of calls, at any time, has the same outcome."""

import asyncio
import hashlib
import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.ids import new_id
from pendesk.store import events
from tests.desk import MINUTE, SECOND, HandClock, TestDesk
from tests.folding import folded_and_stored, kept_and_counted
from tests.model.reference import LIVE_CLAIMS, STATUSES, Action, Reference
from tests.workbench import drafted_spec

NEEDS: list[list[int]] = [[], [], [0], [0, 1], [], [], []]
CRITERIA = 2
BUILDERS = 3
KEY_LIFE = 24 * 60 * MINUTE
MESSAGE = "Wrote the form."
HOLDER = "holder"
# Examples and steps; PENDESK_MODEL chooses.
PROFILES = {"quick": (40, 60), "thorough": (300, 100)}


class Choice(NamedTuple):
    """Everything that one step may need to be decided; most of it matters to some moves only.

    Most calls are `aimed` at an action in a state that makes them interesting, by the one who holds it; the others are
    whatever a confused agent might send.
    """

    move: str
    aimed: bool
    number: int
    person: int | str
    claimer: int | str
    claim: str
    criteria: list[int]
    status: str
    outcome: str
    verdict: str
    word: str
    judged: int
    key: bool
    other_body: bool
    wait: int


MOVES = [
    *["claim_action"] * 6,
    *["carry_through"] * 2,
    *["time_goes_on"] * 3,
    *["review_action"] * 2,
    *["update_progress"] * 2,
    *["get_action_brief"] * 2,
    *["report_commit"] * 2,
    *["report_test_result"] * 2,
    *["resubmit_for_review"] * 2,
    *["repeat_a_call"] * 2,
    *["release_dependents"] * 2,
    "reopen_action",
    "drop_action",
    "release_action",
    "request_clarification",
    "answer_clarification",
    "answer_question",
    "submit_for_review",
    "release_claim",
    "publish_build",
]


def choice_of(seed: str) -> Choice:
    """Chance decides each part by itself; Hypothesis chooses the seeds, and finds the steps that a failure needs. Left
    to choose every part, it repeats the same few calls over and over.
    """
    pick: Callable[[Any], Any] = random.Random(seed).choice
    return Choice(
        move=pick(MOVES),
        aimed=pick([True, True, True, True, False]),
        number=pick(range(60)),
        person=pick([*[HOLDER] * 8, 0, 1, 2, 3]),
        claimer=pick([*[0] * 5, 1, 1, 2, 3, HOLDER]),
        claim=pick([*["none"] * 4, *["current"] * 4, "old", "made up"]),
        criteria=pick([[0], [1], [0, 1], [1, 0], [0, CRITERIA]]),  # the last is not of this action
        status=pick(["started", "started", "not-started", "wont-do"]),
        outcome=pick(["passed", "failed"]),
        verdict=pick(["approved", "changes_requested"]),
        word=pick(["confirmed", "confirmed", "rejected"]),
        judged=pick(range(CRITERIA + 1)),
        key=pick([False, False, True]),
        other_body=pick([False, False, True]),
        wait=pick([1, 31, 60, 14 * 60, 16 * 60, 31 * 60, 31 * 60, 23 * 3600, 25 * 3600]),
    )


seeds = st.integers(0, 2**64 - 1)


class Keyed(NamedTuple):
    """A call that was made with an idempotency key, and its answer."""

    actor: Actor
    operation: str
    arguments: dict[str, Any]
    answer: Any
    at: int


class BuildingLoop(RuleBasedStateMachine):
    def __init__(self, runner: asyncio.Runner, desk: TestDesk) -> None:
        super().__init__()
        self.runner = runner
        self.desk = TestDesk(desk.store, desk.clock)
        self.keyed: list[Keyed] = []
        self.clock_went_back = False
        self.drawn: Counter[int] = Counter()  # a seed that is drawn again means something else

    @initialize()
    def set_up(self) -> None:
        self.runner.run(self._set_up())
        names = [actor.user_id for actor in self.builders]
        actions = [Action(["pending"] * CRITERIA, list(needs)) for needs in NEEDS]
        self.reference = Reference(names, actions, self.desk.clock())
        self.claim_ids: list[list[str]] = [[] for _ in NEEDS]
        self.questions: list[list[str]] = [[] for _ in NEEDS]
        self.items: list[list[str]] = [[] for _ in NEEDS]
        self.seen = self._read(0)

    async def _set_up(self) -> None:
        await self.desk.open()
        self.author = await self.desk.person("Author")
        self.builders = [await self.desk.person(f"Builder{each}") for each in range(BUILDERS)]
        self.everyone = [*self.builders, await self.desk.person("Outsider")]
        work = await drafted_spec(self.desk, self.author, actions=len(NEEDS), criteria=CRITERIA)
        self.spec_id, self.actions = work.spec_id, work.actions
        for number, needs in enumerate(NEEDS):
            for needed in needs:
                edge = {"project_id": work.project_id, "label": "depends_on"}
                ends = {"from_task_id": self._pid(number), "to_task_id": self._pid(needed)}
                await self.desk.call(self.author, "create_edge", **edge, **ends)
        for builder in self.builders:
            await self.desk.call(self.author, "add_participant", spec_id=self.spec_id, user_id=builder.user_id)
        await self.desk.call(self.author, "publish_build", spec_id=self.spec_id)

    def teardown(self) -> None:
        """Folding the log gives the state, and counting the actions what is kept, whatever was done."""
        folded, stored = self.runner.run(self.desk.store.read(self.desk.workspace, folded_and_stored))
        assert folded == stored
        kept, counted = self.runner.run(self.desk.store.read(self.desk.workspace, kept_and_counted))
        assert kept == counted

    @rule(seed=seeds)
    def step(self, seed: int) -> None:
        self.drawn[seed] += 1
        choice = choice_of(f"{seed} {self.drawn[seed]}")
        note(str(choice))
        getattr(self, choice.move)(choice)

    # Choosing

    def _pid(self, number: int) -> str:
        pid: str = self.actions[number]["pid"]
        return pid

    def _aim(self, choice: Choice, *states: str) -> int:
        fitting = [number for number, action in enumerate(self.reference.actions) if action.state in states]
        return fitting[choice.number % len(fitting)] if choice.aimed and fitting else choice.number % len(NEEDS)

    def _who(self, person: int | str, number: int) -> Actor:
        if isinstance(person, int):
            return self.everyone[person]
        last = self.reference.actions[number].last
        return next((each for each in self.everyone if last and each.user_id == last.user), self.builders[0])

    def _named(self, choice: Choice, number: int) -> tuple[int | None, dict[str, str]]:
        """Which claim the caller names: for the reference its fence, for the dispatcher its id."""
        known = self.claim_ids[number]
        if choice.claim == "current" and known:
            return len(known), {"claim_id": known[-1]}
        if choice.claim == "old" and len(known) > 1:
            return len(known) - 1, {"claim_id": known[-2]}
        if choice.claim == "made up":
            return 0, {"claim_id": new_id()}
        return None, {}

    def _criteria(self, number: int, which: list[int]) -> list[str]:
        known = self.actions[number]["criteria"]
        stranger = self.actions[number - 1]["criteria"][0]
        return [known[each] if each < CRITERIA else stranger for each in which]

    # Calling

    def _send(self, actor: Actor, operation: str, arguments: dict[str, Any]) -> tuple[str, Any]:
        try:
            return "ok", self.runner.run(self.desk.call(actor, operation, **arguments))
        except Refusal as refused:
            return refused.code, refused

    def _do(self, actor: Actor, operation: str, arguments: dict[str, Any], key: bool, method: str, *args: Any) -> Any:
        """The same call on both sides: the outcome, the logged events and all records must agree."""
        if key:
            arguments = {**arguments, "idempotency_key": new_id()}
        expected, kinds = self.reference.attempt(method, *args)
        outcome, answer = self._send(actor, operation, arguments)
        assert outcome == expected, f"{operation} gave {outcome}, the reference says {expected}"
        self._check(kinds)
        if outcome != "ok":
            return None
        if key:
            self.keyed.append(Keyed(actor, operation, arguments, answer, self.desk.clock()))
        return answer

    # What agents do

    def claim_action(self, choice: Choice) -> None:
        number = self._aim(choice, "todo", *([] if choice.key else ["in_progress"]))
        actor, fence = self._who(choice.claimer, number), self.reference.actions[number].fence
        asked = {"action_pid": self._pid(number)}
        answer = self._do(actor, "claim_action", asked, choice.key, "claim", actor.user_id, number)
        if answer is None:
            return
        rework = self.reference.actions[number].state == "changes_requested"
        assert answer["status"] == ("in-review" if rework else "started")
        assert answer["claimedBy"] == actor.user_id
        if answer["claim"]["fence"] > fence:
            self.claim_ids[number].append(answer["claim"]["id"])
        assert answer["claim"]["fence"] == len(self.claim_ids[number])
        assert answer["claim"]["id"] == self.claim_ids[number][-1]

    def release_action(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        asked = {"action_pid": self._pid(number), **named}
        self._do(actor, "release_action", asked, choice.key, "release", actor.user_id, number, fence)

    def update_progress(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        asked = {"action_pid": self._pid(number), "status": choice.status, "message": MESSAGE, **named}
        args = (actor.user_id, number, fence, choice.status)
        self._do(actor, "update_progress", asked, choice.key, "progress", *args)

    def get_action_brief(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress")
        actor = self._who(choice.person, number)
        asked = {"action_pid": self._pid(number)}
        answer = self._do(actor, "get_action_brief", asked, False, "brief", actor.user_id, number)
        action = self.reference.actions[number]
        assert [one["status"] for one in answer["action"]["acceptanceCriteria"]] == action.criteria
        assert len(answer["openClarifications"]) == action.questions.count(False)
        last = action.last
        mine = last is not None and last.user == actor.user_id
        assert ("claim" in answer) == (mine and self.reference.is_live(last))
        if mine and last is not None and last.state in ("active", "submitted"):
            assert ("advisory" in answer) == (self.reference.build not in (last.build, last.read_build))
            last.read_build = self.reference.build

    def report_commit(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress", "in_review", "changes_requested")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        asked = {
            "action_pid": self._pid(number),
            "sha": hashlib.sha1(str(choice.number % 7).encode()).hexdigest(),
            "message": "Add the form",
            "criterion_ids": self._criteria(number, choice.criteria),
            **named,
        }
        args = (actor.user_id, number, fence, choice.criteria)
        self._do(actor, "report_commit", asked, choice.key, "commit", *args)

    def report_test_result(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress", "in_review", "changes_requested")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        criterion = choice.criteria[-1]
        asked = {
            "action_pid": self._pid(number),
            "criterion_id": self._criteria(number, [criterion])[0],
            "outcome": choice.outcome,
            **named,
        }
        args = (actor.user_id, number, fence, criterion, choice.outcome)
        self._do(actor, "report_test_result", asked, choice.key, "test_result", *args)

    def request_clarification(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress", "in_review", "changes_requested")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        asked = {"action_pid": self._pid(number), "question": "Which colour?", **named}
        answer = self._do(actor, "request_clarification", asked, choice.key, "ask", actor.user_id, number, fence)
        if answer is not None:
            self.questions[number].append(answer["pid"])

    def _question(self, choice: Choice) -> tuple[int, int] | None:
        """An action and one of its questions, where there is one."""
        asked = [(number, each) for number, known in enumerate(self.questions) for each in range(len(known))]
        return asked[choice.number % len(asked)] if asked else None

    def answer_clarification(self, choice: Choice) -> None:
        if (found := self._question(choice)) is None:
            return
        number, question = found
        actor = self._who(choice.person, number)
        asked = {"clarification_pid": self.questions[number][question], "answer": "Blue."}
        self._do(actor, "answer_clarification", asked, choice.key, "relay", actor.user_id, number, question)

    def submit_for_review(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        asked = {**self._handed_over(number, choice.criteria), **named}
        args = (actor.user_id, number, fence, choice.criteria)
        self._do(actor, "submit_for_review", asked, choice.key, "submit", *args)

    def resubmit_for_review(self, choice: Choice) -> None:
        number = self._aim(choice, "in_review", "changes_requested")
        actor, (fence, named) = self._who(choice.person, number), self._named(choice, number)
        disposed = [each for each, done in enumerate(self.reference.actions[number].items) if not done]
        disposed = disposed[choice.outcome == "failed" :]  # then one is left out
        entries = [
            {"itemId": self.items[number][each], "disposition": "fixed", "note": "In the last commit."}
            for each in disposed
        ]
        asked = {**self._handed_over(number, choice.criteria), "dispositions": entries, **named}
        args = (actor.user_id, number, fence, choice.criteria, disposed)
        self._do(actor, "resubmit_for_review", asked, choice.key, "resubmit", *args)

    def _handed_over(self, number: int, criteria: list[int]) -> dict[str, Any]:
        evidence = [{"criterionId": each, "evidence": "12/12 passed"} for each in self._criteria(number, criteria)]
        return {
            "action_pid": self._pid(number),
            "pr_url": "https://example.com/pr/1",
            "summary": "The form works.",
            "evidence": evidence,
        }

    def carry_through(self, choice: Choice) -> None:
        """The straight way, so that deep states are reached often: claim, hand over, judge."""
        number = self._aim(choice, "todo", "in_progress")
        exactly = choice._replace(aimed=False, number=number, person=HOLDER, claim="current", criteria=[0, 1])
        self.claim_action(exactly)
        self.submit_for_review(exactly)
        self.review_action(exactly._replace(word="confirmed", judged=CRITERIA))

    # What people do

    def answer_question(self, choice: Choice) -> None:
        if (found := self._question(choice)) is None:
            return
        number, question = found
        asked = {"clarification_pid": self.questions[number][question], "answer": "Green."}
        self._do(self.author, "answer_question", asked, False, "answer", number, question)

    def review_action(self, choice: Choice) -> None:
        number = self._aim(choice, "in_review", "changes_requested")
        verdicts = dict.fromkeys(range(choice.judged), choice.word)
        # What is approved asks for no change.
        items = choice.number % 3 if choice.verdict == "changes_requested" else 0
        asked = {
            "action_pid": self._pid(number),
            "verdict": choice.verdict,
            "summary": "Looked at it.",
            "verdicts": [
                {"criterionId": self.actions[number]["criteria"][each], "verdict": word}
                for each, word in verdicts.items()
            ],
            "items": [{"text": f"Change {each}"} for each in range(items)],
        }
        answer = self._do(self.author, "review_action", asked, False, "review", number, choice.verdict, verdicts, items)
        if answer is not None and self.reference.actions[number].state == "changes_requested":
            brief = self.runner.run(self.desk.call(self.author, "get_action_brief", action_pid=self._pid(number)))
            self.items[number] = [item["id"] for item in brief["review"]["items"]]
            assert len(self.items[number]) == len(self.reference.actions[number].items)

    def release_claim(self, choice: Choice) -> None:
        number = self._aim(choice, "in_progress")
        asked = {"action_pid": self._pid(number), "reason": "It went quiet."}
        self._do(self.author, "release_claim", asked, False, "take_away", number)

    def release_dependents(self, choice: Choice) -> None:
        number = self._aim(choice, "wont_do")
        asked = {"action_id": self._pid(number)}
        self._do(self.author, "release_dependents", asked, False, "release_dependents", number)
        self._check_inbox()

    def reopen_action(self, choice: Choice) -> None:
        number = self._aim(choice, "wont_do", "done")
        asked = {"action_id": self._pid(number), "state": "todo"}
        self._do(self.author, "update_action", asked, False, "reopen", number)
        self._check_inbox()

    def drop_action(self, choice: Choice) -> None:
        number, release = self._aim(choice, "todo"), choice.outcome == "passed"
        asked = {"action_id": self._pid(number), "state": "wont_do", "reason": MESSAGE, "release_dependents": release}
        self._do(self.author, "update_action", asked, False, "drop", number, release)
        self._check_inbox()

    def _check_inbox(self) -> None:
        inbox = self.runner.run(self.desk.call(self.author, "get_inbox", kind="dropped"))
        waiting = {item["pid"] for item in inbox["items"]}
        assert waiting == {self._pid(number) for number in self.reference.undecided()}

    def publish_build(self, choice: Choice) -> None:
        self._do(self.author, "publish_build", {"spec_id": self.spec_id}, False, "publish")

    # Keys that come again

    def repeat_a_call(self, choice: Choice) -> None:
        fresh = [call for call in self.keyed if self.desk.clock() - call.at < KEY_LIFE]
        if not fresh:
            return
        call = fresh[choice.number % len(fresh)]
        if choice.other_body:
            field = {"claim_action": "agent_model", "answer_clarification": "answer"}.get(call.operation, "claim_id")
            outcome, _ = self._send(call.actor, call.operation, {**call.arguments, field: "another"})
            assert outcome == "idempotency_key_reused"
        else:
            outcome, answer = self._send(call.actor, call.operation, call.arguments)
            assert (outcome, answer) == ("ok", call.answer)
        self._check([])

    # Time

    def time_goes_on(self, choice: Choice) -> None:
        self.desk.clock.forward(choice.wait * SECOND)
        self.reference.now = self.desk.clock()

    # What must hold after every call

    def _check(self, kinds: list[str]) -> None:
        now = self._read(self.seen["seq"])
        assert now["kinds"] == kinds
        for number, action in enumerate(self.reference.actions):
            pid = self._pid(number)
            reason = MESSAGE if action.state == "wont_do" else None
            assert now["actions"][pid] == (action.state, reason, action.fence), f"action {number}"
            assert [now["criteria"][each] for each in self.actions[number]["criteria"]] == action.criteria
            claims = [(claim.user, claim.fence, claim.state, claim.expires_at) for claim in action.claims]
            assert now["claims"].get(pid, []) == claims
            assert now["submissions"].get(pid, 0) == action.submissions
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
        assert now["count"] == now["seq"], "the log has a gap"
        assert now["seq"] == self.seen["seq"] + len(now["kinds"]), "the log lost or reordered an event"

    def _read(self, seq: int) -> dict[str, Any]:
        return self.runner.run(self.desk.store.read(self.desk.workspace, lambda tx: _records(tx, seq)))


class BadClock(BuildingLoop):
    """The same at a store whose clock also jumps back: leases that had ended live again, but nobody holds twice."""

    def time_goes_on(self, choice: Choice) -> None:
        back = choice.outcome == "failed"
        self.clock_went_back |= back
        super().time_goes_on(choice._replace(wait=-choice.wait) if back else choice)


def _records(tx: Any, seq: int) -> dict[str, Any]:
    claims: dict[str, list[tuple[Any, ...]]] = {}
    for action_id, *claim in tx.all(
        "SELECT action_id, user_id, fence, state, expires_at FROM claims WHERE workspace_id = :workspace ORDER BY fence"
    ):
        claims.setdefault(action_id, []).append(tuple(claim))
    count, last = tx.one("SELECT count(*), coalesce(max(seq), 0) FROM events WHERE workspace_id = :workspace")
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
        "kinds": [event.kind for event in events.all_after_ignoring_visibility(tx, seq, 100)],
        "count": count,
        "seq": last,
    }


def test_the_building_loop_agrees_with_the_reference(open_store):
    run_against(BuildingLoop, open_store)


def test_a_clock_that_jumps_back_makes_no_second_holder(open_store):
    run_against(BadClock, open_store, share=3)


def run_against(machine: type[BuildingLoop], open_store: Any, share: int = 1) -> None:
    profile = os.environ.get("PENDESK_MODEL", "quick")
    examples, steps = PROFILES[profile]
    with asyncio.Runner() as runner:
        clock = HandClock()
        desk = TestDesk(open_store(clock), clock)
        try:
            run_state_machine_as_test(
                cast(Any, lambda: machine(runner, desk)),  # a factory will do, whatever its types say
                settings=settings(
                    max_examples=examples // share,
                    stateful_step_count=steps,
                    deadline=None,
                    database=None,
                    derandomize=profile == "quick",
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(desk.store.close())
