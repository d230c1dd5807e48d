"""Who an action is assigned to: a member or an agent. It orders the work and never blocks it: anybody may claim it."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Literal, NamedTuple

from pendesk.domain.errors import BadField
from pendesk.domain.limits import NEAREST_NAMED

ME = "me"
NOBODY = ("", "none")
Kind = Literal["person", "agent"]


class Assignee(NamedTuple):
    """A member, or an agent of one. At most one of the two ids is set; neither where nobody is assigned."""

    user_id: str | None = None
    agent_id: str | None = None


UNASSIGNED = Assignee()


class Assignable(NamedTuple):
    """Who work can be assigned to. `owner` is the name of an agent's user; an agent's own account is a member."""

    assignee: Assignee
    kind: Kind
    name: str
    member_id: str
    owner: str = ""

    @property
    def pid(self) -> str:
        return self.assignee.agent_id or self.assignee.user_id or ""

    @property
    def described(self) -> str:
        return f"{self.name} of {self.owner}" if self.owner else self.name


class CallerIdentity(NamedTuple):
    """`agent_id` is None where a person calls, and for an agent that has never written anything."""

    user_id: str
    agent_id: str | None = None


class Assignment(IntEnum):
    """What is assigned to an agent's user is the agent's to do as well."""

    TO_CALLER = 0
    TO_NOBODY = 1
    TO_OTHER = 2


def assignment_to_caller(assignee: Assignee, caller: CallerIdentity) -> Assignment:
    if assignee == UNASSIGNED:
        return Assignment.TO_NOBODY
    is_callers = assignee.user_id == caller.user_id or assignee.agent_id == (caller.agent_id or "")
    return Assignment.TO_CALLER if is_callers else Assignment.TO_OTHER


WorkOrder = tuple[int, int, bool, str]
NO_DUE_DATE = "9999-12-31"


def work_order(assignment: Assignment, priority: int, due_on: str | None, *, overlaps: bool = False) -> WorkOrder:
    """What comes first among actions that are equally available: the caller's own, then nobody's, then others'; in
    each the most urgent; of those what touches no files at work (domain/overlap.py), and of those what is due first.
    What is overdue is due before all else.
    """
    return (assignment, -priority, overlaps, due_on or NO_DUE_DATE)


def choose_assignable(text: str, matches: Sequence[Assignable], nearest: Sequence[str]) -> Assignable:
    """The one that a caller named; `nearest` are names like it, for when there is none."""
    if len(matches) == 1:
        return matches[0]
    if not matches:
        advice = (
            f"Name one of: {', '.join(nearest)}" if nearest else "Send a member's name or email, or an agent's name"
        )
        raise BadField("assignee", f'no member or agent is called "{text}". {advice}; "me" is you, "" is nobody.')
    candidates = ", ".join(f"{match.described} ({match.pid})" for match in matches[:NEAREST_NAMED])
    raise BadField("assignee", f'several are called "{text}": {candidates}. Send the pid or the email.')
