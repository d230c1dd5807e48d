"""An agent session: one terminal, CI job or run of an agent, recognised by the marks that its calls carry.

Marks tell sessions apart; they never give a right. A call has the marks that its client sends, and a session all that
its calls have sent: one equal mark is enough. The absence of a mark tells nothing.
"""

import hashlib
import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from pendesk.domain.limits import SESSION_NAME_CHARS

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._:/#@+-]")


class MarkKind(StrEnum):
    GIVEN = "given"  # PENDESK_SESSION
    CLIENT = "client"  # the client's own session
    PROCESS = "process"  # the client's process
    # Of calls without a mark: what they have in common. It finds their record, and never makes two callers the same.
    BEARER = "bearer"


class CallOrigin(NamedTuple):
    """What a call says about where it comes from. `thread` is the sub-agent that calls, empty for the root."""

    client: str = ""
    machine: str = ""
    model: str | None = None
    marks: frozenset[str] = frozenset()
    thread: str = ""
    tool_use_id: str = ""
    session_name: str = ""


UNKNOWN_ORIGIN = CallOrigin()


class AgentSession(NamedTuple):
    """With what is shown of its agent."""

    id: str
    agent_id: str
    token_id: str
    number: int
    model: str | None
    started_at: int
    last_seen_at: int
    ended_at: int | None
    agent_name: str
    client: str
    name: str
    # People decided something about its work that it has not read yet.
    has_news: bool = False
    # It has read messages that no report of it has followed yet; None where that was not looked up.
    has_unacknowledged: bool | None = None

    @property
    def label(self) -> str:
        return session_label(self.agent_name, self.number, self.name)


class Relation(StrEnum):
    """How a caller is related to who took a claim."""

    SAME = "same"
    UNKNOWN = "unknown"  # the same user, and nothing tells the two apart
    OTHER_SESSION = "other_session"
    OTHER_USER = "other_user"


@lru_cache(maxsize=10_000)  # on the path of every call
def make_mark(kind: MarkKind, value: str) -> str:
    """Hashed: a mark may be any text of any length."""
    return f"{kind}:{hashlib.sha256(value.encode()).hexdigest()[:32]}"


def bearer_mark(token_id: str, origin: CallOrigin) -> str:
    return make_mark(MarkKind.BEARER, f"{token_id} {origin.client} {origin.machine}")


def session_label(agent_name: str, number: int, session_name: str) -> str:
    if session_name:
        return f"{agent_name} ({session_name})"
    return agent_name if number == 1 else f"{agent_name} #{number}"


def session_name(given_mark: str) -> str:
    """What its user calls it, as it is shown. Other agents read it too: a name, and no room for a sentence."""
    return " ".join(_NOT_IN_NAMES.sub(" ", given_mark).split())[:SESSION_NAME_CHARS].rstrip()


def relation_to_session(
    origin: CallOrigin, token_id: str, session: AgentSession, marks_of_session: frozenset[str]
) -> Relation:
    """Of a call of the same user, which comes with a token."""
    if origin.marks & marks_of_session:
        return Relation.SAME
    clients_differ = bool(origin.client and session.client and origin.client != session.client)
    if marks_tell_apart(origin.marks, marks_of_session) or clients_differ or token_id != session.token_id:
        return Relation.OTHER_SESSION
    return Relation.UNKNOWN


def marks_tell_apart(marks: frozenset[str], marks_of_session: frozenset[str]) -> bool:
    """A mark of the same kind differs, and none is equal."""
    return not marks & marks_of_session and bool(_kinds(marks) & _kinds(marks_of_session))


def _kinds(marks: frozenset[str]) -> frozenset[str]:
    return frozenset(mark.partition(":")[0] for mark in marks) - {MarkKind.BEARER}


def rotate_by_caller(refs: list[str], origin: CallOrigin) -> list[str]:
    """The same list, begun elsewhere by each session, so that those who are refused together do not all run to one.

    By its marks, or by the call where it has none: the same caller gets the same order again.
    """
    caller = " ".join(sorted(origin.marks)) or origin.tool_use_id
    if not refs or not caller:
        return refs
    start = int.from_bytes(hashlib.sha256(caller.encode()).digest()[:8]) % len(refs)
    return refs[start:] + refs[:start]


def first_free_number(numbers_in_use: set[int]) -> int:
    number = 1
    while number in numbers_in_use:
        number += 1
    return number


def is_silent(session: AgentSession, last_sign_at: int, now: int, silent_after_us: int) -> bool:
    """It has ended, or nothing was heard of it for so long that it may have."""
    return session.ended_at is not None or now - last_sign_at >= silent_after_us
