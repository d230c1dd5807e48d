"""The building loop in plain Python: what the product must do, said a second time and as simply as possible.

Nothing here is shared with the program but the words. A method either changes the records and notes the events that
must be logged, or raises `Refused` with the refusal's code, in which case nothing has changed.
"""

import contextlib
import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MINUTE = 60 * 1_000_000
LEASE = 30 * MINUTE
LEASE_CAP = 24 * 60 * MINUTE
RENEWAL_GRAIN = LEASE // 60
LIVE_CLAIMS = 3
STATUSES = ["pending", "seen", "implemented", "validated", "confirmed"]


class Refused(Exception):
    def __init__(self, code: str, late: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.late = late


def last_of(words: list[str], *kinds: str) -> str | None:
    return next((word for word in reversed(words) if word in kinds), None)


@dataclass
class Claim:
    user: str
    fence: int
    build: int
    taken_at: int
    renewed_at: int
    expires_at: int
    state: str = "active"
    read_build: int | None = None


@dataclass
class Action:
    criteria: list[str]
    needs: list[int] = field(default_factory=list)
    state: str = "todo"
    claims: list[Claim] = field(default_factory=list)
    questions: list[bool] = field(default_factory=list)  # answered?
    submissions: int = 0
    reviewed: int = 0
    items: list[bool] = field(default_factory=list)  # of the newest review: disposed of?
    released: bool = False  # dropped, and what waits for it goes on
    words: list[list[str]] = field(default_factory=list)  # of each criterion: results and verdicts, in order

    def __post_init__(self) -> None:
        self.words = [[] for _ in self.criteria]

    @property
    def fence(self) -> int:
        return len(self.claims)

    @property
    def last(self) -> Claim | None:
        return self.claims[-1] if self.claims else None

    def advance(self, which: list[int], status: str) -> bool:
        """Whether any moved."""
        behind = [place for place in which if STATUSES.index(self.criteria[place]) < STATUSES.index(status)]
        for place in behind:
            self.criteria[place] = status
        return bool(behind)


class Reference:
    def __init__(self, participants: list[str], actions: list[Action], now: int) -> None:
        self.participants = participants
        self.actions = actions
        self.now = now
        self.build = 1
        self.events: list[str] = []

    def attempt(self, method: str, *args: Any) -> tuple[str, list[str]]:
        """`ok` or the refusal's code, and the kinds of the events that must have been logged."""
        before = copy.deepcopy(self.actions), self.build
        self.events = []
        call: Callable[..., None] = getattr(self, method)
        try:
            call(*args)
        except Refused as refused:
            self.actions, self.build = before
            return refused.code, ["report.late"] if refused.late else []
        return "ok", self.events

    # Leases

    def is_live(self, claim: Claim | None) -> bool:
        return claim is not None and claim.state == "active" and self.now < claim.expires_at

    def live_claims(self, user: str) -> int:
        return sum(self.is_live(claim) and claim.user == user for action in self.actions for claim in action.claims)

    def _renew(self, claim: Claim) -> None:
        claim.renewed_at = self.now
        claim.expires_at = min(self.now + LEASE, claim.taken_at + LEASE_CAP)

    def _resume(self, claim: Claim) -> None:
        """An expired lease goes on, if its life is not over and its holder has a slot free."""
        if self.is_live(claim):
            return
        if self.now >= claim.taken_at + LEASE_CAP:
            raise Refused("claim_expired")
        if self.live_claims(claim.user) >= LIVE_CLAIMS:
            raise Refused("claim_limit")
        self._renew(claim)
        self.events.append("action.resumed")

    def _sign_of_life(self, claim: Claim) -> None:
        if claim.state != "active":
            return
        if self.now - claim.renewed_at >= RENEWAL_GRAIN and self.is_live(claim):
            self._renew(claim)

    def _resume_if_possible(self, number: int, claim: Claim) -> None:
        if claim.state != "active" or self.is_live(claim) or self.actions[number].state == "changes_requested":
            return
        with contextlib.suppress(Refused):
            self._resume(claim)

    def _take_rework(self, claim: Claim) -> None:
        """Requested changes: whoever submitted has their claim back, however many they hold."""
        claim.state, claim.taken_at = "active", self.now
        self._renew(claim)
        self.events.append("action.claimed")

    def _hold(self, user: str, number: int, fence: int | None, kept: bool = True) -> Claim:
        """The user's claim on the action. `fence` says which claim they name; `kept`: a late report stays."""
        action = self.actions[number]
        claim = action.last
        named = claim is not None and fence in (None, claim.fence)
        mine = claim is not None and claim.user == user
        late = kept and self._has_held(user, number)
        if claim is not None and action.state == "changes_requested":
            if not mine:
                raise Refused("held_by_another", late=late)
            if named and not self.is_live(claim):
                self._take_rework(claim)
        if claim is not None and mine and named:
            if claim.state == "active":
                self._resume(claim)
                return claim
            if action.state == "in_review":
                raise Refused("in_review", late=late)
        taken = claim is not None and claim.state == "active"
        if self._has_held(user, number) and (taken or fence is not None):
            raise Refused("claim_lost", late=late)
        raise Refused("held_by_another" if taken else "not_claimed", late=late)

    def _has_held(self, user: str, number: int) -> bool:
        return any(claim.user == user for claim in self.actions[number].claims)

    # What comes first

    def holds_back(self, number: int) -> bool:
        action = self.actions[number]
        return not (action.state == "done" or (action.state == "wont_do" and action.released))

    def undecided(self) -> list[int]:
        """What is dropped, while something open waits for it."""
        open_needs = {
            each for action in self.actions if action.state not in ("done", "wont_do") for each in action.needs
        }
        return [each for each in sorted(open_needs) if self.actions[each].state == "wont_do" and self.holds_back(each)]

    # What agents do

    def claim(self, user: str, number: int) -> None:
        action, claim = self.actions[number], self.actions[number].last
        if action.state == "changes_requested" and claim is not None and not self.is_live(claim):
            if claim.user != user:
                raise Refused("held_by_another")
            self._take_rework(claim)
            return
        if claim is not None and claim.state == "active" and claim.user == user:
            if self.now < claim.taken_at + LEASE_CAP:
                self._resume(claim)
                self._sign_of_life(claim)
                return
        elif self.is_live(claim):
            raise Refused("already_claimed")
        if user not in self.participants:
            raise Refused("not_a_participant")
        if action.state not in ("todo", "in_progress"):
            raise Refused("not_claimable")
        if any(self.holds_back(each) for each in action.needs):
            raise Refused("prerequisites_open")
        if self.live_claims(user) >= LIVE_CLAIMS:
            raise Refused("claim_limit")
        if claim is not None and claim.state == "active":
            claim.state = "lost"
        expires_at = self.now + LEASE
        action.claims.append(Claim(user, action.fence + 1, self.build, self.now, self.now, expires_at))
        action.state = "in_progress"
        self.events.append("action.claimed")

    def release(self, user: str, number: int, fence: int | None) -> None:
        self._put_back(number, self._hold(user, number, fence, kept=False))

    def progress(self, user: str, number: int, fence: int | None, status: str) -> None:
        claim = self._hold(user, number, fence)
        if status == "not-started":
            self._put_back(number, claim)
        elif status == "wont-do":
            claim.state = "dropped"
            self.actions[number].state = "wont_do"
            self.events.append("action.dropped")
        else:
            self._renew(claim)
            self.events.append("action.progressed")

    def _put_back(self, number: int, claim: Claim) -> None:
        claim.state = "released"
        self.actions[number].state = "todo"
        self.events.append("action.released")

    def brief(self, user: str, number: int) -> None:
        action, claim = self.actions[number], self.actions[number].last
        if claim is not None and claim.user == user and claim.state in ("active", "submitted"):
            self._advance(number, list(range(len(action.criteria))), "seen")
            self._resume_if_possible(number, claim)
            self._sign_of_life(claim)

    def commit(self, user: str, number: int, fence: int | None, criteria: list[int]) -> None:
        claim = self._hold(user, number, fence)
        self._check_known(number, criteria)
        self.events.append("commit.reported")
        self._advance(number, criteria, "implemented")
        self._sign_of_life(claim)

    def test_result(self, user: str, number: int, fence: int | None, criterion: int, outcome: str) -> None:
        claim = self._hold(user, number, fence)
        self._check_known(number, [criterion])
        self.events.append("test.reported")
        self.actions[number].words[criterion].append(outcome)
        if outcome == "passed":
            self._advance(number, [criterion], "validated")
        self._sign_of_life(claim)

    def ask(self, user: str, number: int, fence: int | None) -> None:
        claim = self._hold(user, number, fence)
        self.actions[number].questions.append(False)
        self._sign_of_life(claim)
        self.events.append("clarification.asked")

    def relay(self, user: str, number: int, question: int) -> None:
        claim = self.actions[number].last
        if claim is not None and self.is_live(claim) and claim.user != user:
            raise Refused("held_by_another")
        self._answer(number, question)
        if claim is not None and claim.user == user:
            self._resume_if_possible(number, claim)
            self._sign_of_life(claim)

    def submit(self, user: str, number: int, fence: int | None, criteria: list[int]) -> None:
        claim = self._hold(user, number, fence)
        if self.actions[number].state == "changes_requested":
            raise Refused("changes_requested")
        self._hand_over(number, criteria, "action.submitted")
        claim.state = "submitted"
        self.actions[number].state = "in_review"

    def resubmit(self, user: str, number: int, fence: int | None, criteria: list[int], disposed: list[int]) -> None:
        action, claim = self.actions[number], self.actions[number].last
        if action.state == "changes_requested":
            claim = self._hold(user, number, fence)
        elif action.state != "in_review" or claim is None:
            holds = (
                claim is not None and claim.state == "active" and claim.user == user and fence in (None, claim.fence)
            )
            raise Refused("not_in_review", late=self._has_held(user, number) and not holds)
        elif claim.user != user:
            raise Refused("held_by_another", late=self._has_held(user, number))
        elif fence not in (None, claim.fence):
            raise Refused("claim_lost", late=True)
        if any(each >= len(action.items) or action.items[each] for each in disposed):
            raise Refused("unknown_review_item")
        self._hand_over(number, criteria, "action.resubmitted")
        action.items = [done or each in disposed for each, done in enumerate(action.items)]
        claim.state, action.state = "submitted", "in_review"

    def _hand_over(self, number: int, criteria: list[int], kind: str) -> None:
        action = self.actions[number]
        if not all(action.questions):
            raise Refused("open_clarifications")
        self._check_known(number, criteria)
        if any(last_of(words, "failed", "passed", "confirmed") == "failed" for words in action.words):
            raise Refused("criteria_failing")
        action.submissions += 1
        self.events.append(kind)
        self._advance(number, criteria, "validated")

    def _check_known(self, number: int, criteria: list[int]) -> None:
        if any(each >= len(self.actions[number].criteria) for each in criteria):
            raise Refused("unknown_criterion")

    # What people do

    def answer(self, number: int, question: int) -> None:
        self._answer(number, question)

    def _answer(self, number: int, question: int) -> None:
        if self.actions[number].questions[question]:
            raise Refused("already_answered")
        self.actions[number].questions[question] = True
        self.events.append("clarification.answered")

    def review(self, number: int, verdict: str, verdicts: dict[int, str], items: int) -> None:
        action = self.actions[number]
        if action.state not in ("in_review", "changes_requested"):
            raise Refused("not_in_review")
        if action.reviewed == action.submissions:
            raise Refused("already_reviewed")
        confirmed = [each for each, word in verdicts.items() if word == "confirmed"]
        rejected = [each for each, word in verdicts.items() if word == "rejected"]
        if verdict == "approved":
            silent = [
                each
                for each, words in enumerate(action.words)
                if each not in verdicts and last_of(words, "failed", "rejected", "confirmed") != "confirmed"
            ]
            if rejected or silent:
                raise Refused("criteria_not_confirmed")
        for each, word in verdicts.items():
            action.words[each].append(word)
        action.reviewed = action.submissions
        sent_back = verdict == "changes_requested"
        action.items = [False] * (items + len(rejected)) if sent_back else []
        action.state = "changes_requested" if sent_back else "done"
        if not sent_back:
            assert action.last is not None
            action.last.state = "done"
        self.events.append("action.reviewed")
        self._advance(number, confirmed, "confirmed")

    def _advance(self, number: int, criteria: list[int], status: str) -> None:
        if self.actions[number].advance(criteria, status):
            self.events.append("criterion.advanced")

    def take_away(self, number: int) -> None:
        claim = self.actions[number].last
        rework = self.actions[number].state == "changes_requested"
        if claim is None or not (claim.state == "active" or rework):
            raise Refused("not_claimed")
        self._put_back(number, claim)

    def release_dependents(self, number: int) -> None:
        action = self.actions[number]
        if action.state != "wont_do":
            raise Refused("not_dropped")
        if action.released:
            raise Refused("already_released")
        action.released = True
        self.events.append("action.dependents_released")

    def reopen(self, number: int) -> None:
        action = self.actions[number]
        if action.state not in ("todo", "done", "wont_do"):
            raise Refused("invalid_transition")
        if action.state != "todo":
            action.state, action.released = "todo", False
            self.events.append("action.reopened")

    def drop(self, number: int, release: bool) -> None:
        action = self.actions[number]
        if action.state not in ("todo", "wont_do"):
            raise Refused("invalid_transition")
        if action.state == "todo":
            action.state = "wont_do"
            self.events.append("action.moved")
        if release:
            self.release_dependents(number)

    def publish(self) -> None:
        if all(action.state == "wont_do" for action in self.actions):
            raise Refused("nothing_to_publish")
        self.build += 1
        self.events.append("build.published")
