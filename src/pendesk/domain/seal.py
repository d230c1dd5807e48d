"""The seal over the log: a hash chain through every event, and signed marks along it.

Each event's link is the hash of the link before it and of everything the event says. A mark (seal) keeps the link
at some event's number, signed with the server's secret. Whoever changes, removes or inserts a sealed event, even
with full access to the database, cannot make the marks fit again without the secret.
"""

import hashlib
import json
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from pendesk.domain.event import LoggedEvent
from pendesk.domain.signature import is_valid_signature, sign

START = "0" * 64


class Seal(NamedTuple):
    upto_seq: int
    hash: str
    mac: str
    sealed_at: int


class Finding(NamedTuple):
    """Something in the log that is not as it was sealed."""

    seq: int
    problem: str


class VerificationResult(NamedTuple):
    events: int
    sealed_upto: int
    head: str
    findings: list[Finding]


# What the chain goes over, in this order, for ever; then the agent session, of events that have one. about_user_id is
# not in it: it came later and was filled in for events that were sealed already. It decides who may read, as members'
# roles do, and says nothing about what happened.
SEALED_FIELDS = (
    "seq",
    "at",
    "kind",
    "actor_id",
    "agent_model",
    "door",
    "object_id",
    "project_id",
    "spec_id",
    "action_id",
    "data",
)
_sealed_values = attrgetter(*SEALED_FIELDS)


def chain_hash(previous_hash: str, event: LoggedEvent) -> str:
    session = () if event.agent_session_id is None else (event.agent_session_id,)
    text = json.dumps([previous_hash, *_sealed_values(event), *session], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def make_seal(key: bytes, workspace_id: str, upto_seq: int, head_hash: str, now: int) -> Seal:
    return Seal(upto_seq, head_hash, sign(key, "event-seal", workspace_id, str(upto_seq), head_hash), now)


def reseal_if_signed_by_previous_key(seal: Seal, workspace_id: str, previous_key: bytes, new_key: bytes) -> Seal:
    """With another secret. One that the previous did not sign stays as it is: a forgery goes on being found."""
    if not _has_valid_signature(seal, workspace_id, previous_key):
        return seal
    return make_seal(new_key, workspace_id, seal.upto_seq, seal.hash, seal.sealed_at)


def _has_valid_signature(seal: Seal, workspace_id: str, key: bytes) -> bool:
    return is_valid_signature(seal.mac, key, "event-seal", workspace_id, str(seal.upto_seq), seal.hash)


class EventLogVerifier:
    """Walks a workspace's log once, from its first event, and compares it with its seals."""

    def __init__(self, key: bytes, workspace_id: str, seals: list[Seal], expect: tuple[int, str] | None = None) -> None:
        """`expect` is a (number, link) that was noted outside the database."""
        self._expect = expect
        self._key = key
        self._workspace_id = workspace_id
        self._seals = {seal.upto_seq: seal for seal in seals}
        self._sealed_upto = max(self._seals, default=0)
        self._last_seq = 0
        self._head = START
        self._findings: list[Finding] = []
        self._from = 1
        self._met = False

    @property
    def has_found_expected_hash(self) -> bool:
        """The log went through the link that was noted outside."""
        return self._met

    def add_findings_for_events(self, events: Iterable[LoggedEvent]) -> None:
        for event in events:
            if event.seq != self._last_seq + 1:
                self._add_finding(self._last_seq + 1, f"events {self._last_seq + 1} to {event.seq - 1} are missing")
            self._last_seq = event.seq
            self._head = chain_hash(self._head, event)
            if self._expect is not None and self._expect[0] == event.seq:
                self._met = self._expect[1] == self._head
            seal = self._seals.get(event.seq)
            if seal is not None:
                self._add_finding_if_seal_invalid(seal)

    def finish(self) -> VerificationResult:
        if self._sealed_upto > self._last_seq:
            self._add_finding(
                self._last_seq + 1,
                f"the log ends at {self._last_seq}, but was sealed up to {self._sealed_upto}: its end was removed",
            )
        return VerificationResult(self._last_seq, self._sealed_upto, self._head, self._findings)

    def _add_finding_if_seal_invalid(self, seal: Seal) -> None:
        if not _has_valid_signature(seal, self._workspace_id, self._key):
            self._add_finding(seal.upto_seq, "this seal was not made with this server's secret")
        elif seal.hash != self._head:
            self._add_finding(self._from, f"something between events {self._from} and {seal.upto_seq} was changed")
            # Go on from what was sealed, so that a later change is found by itself.
            self._head = seal.hash
        self._from = seal.upto_seq + 1

    def _add_finding(self, seq: int, problem: str) -> None:
        self._findings.append(Finding(seq, problem))
