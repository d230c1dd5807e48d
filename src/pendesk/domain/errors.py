"""Every refusal there is.

Refusal
├── Unauthenticated       no, unknown, expired or revoked token or session
├── NotFound              missing, not visible, or not an identifier
│   ├── NoSuchRevision    a text has no revision of that number
│   ├── NotReady          an action that the building tools do not see yet, by a caller who can plan
│   └── LinkLeadsNowhere  a share's link: unknown, expired or revoked
├── Forbidden
│   ├── MissingScope      the token lacks a scope
│   ├── RoleForbids       the member's role may not do this
│   ├── NotParticipant    the caller does not take part in the spec
│   └── HeldByAnother     a write on an action that another user holds
├── Conflict
│   ├── AlreadyClaimed    claiming what another user holds
│   ├── HeldByYourOtherSession  claiming, or writing about, what another session of the same user holds
│   ├── ClaimLost         a former holder writes (old fence)
│   └── RevisionConflict  an edit against an old revision
├── RuleBroken            a business rule; its code says which
│   └── BadField          an input field, by name
├── OAuthRefused          a request of an OAuth client; its code is the RFC's
├── TooLarge
├── WrongMediaType        a body of a type that is not accepted there
├── TooManyRequests
├── OtherServerSilent     another server gave no usable answer; trying again may help
└── Unavailable           the store cannot be used now; nothing was changed (code outcome_unknown: nobody can say)

A message says what is wrong and what to do next, to a person and to an agent alike. What to do next depends on the
tools that a caller has: `advice` lists it, and the first that fits is said. Where the rest has to speak of tools or
fields, `person_message` says the same to someone who sits at a page. The code is stable, for programs.
`transports/problems.py` gives each its HTTP status.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pendesk.domain.event import Event


class Advice(NamedTuple):
    """What to do next, for a caller who has all of these tools."""

    text: str
    tools: tuple[str, ...] = ()


LATE_REPORT_SAVED = "What you sent is saved on the timeline as a late report."


class Refusal(Exception):
    """`late_report` is recorded although the write is refused: what a former holder sent is not lost."""

    code = "refused"
    late_report: Event | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        person_message: str = "",
        advice: Sequence[Advice] = (),
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.statement = message
        self.advice = advice
        self._person = person_message
        self.details = details
        if code is not None:
            self.code = code
        self.message = self._message_for_tools(lambda _tool: True)

    def __str__(self) -> str:
        return self.message

    @property
    def message_for_person(self) -> str:
        return self._person or (self._message_for_tools(lambda _tool: False) if self.advice else self.message)

    def save_late_report(self, event: Event | None) -> None:
        if event is not None:
            self.late_report = event
            self.statement = f"{self.statement} {LATE_REPORT_SAVED}"
            self.message = self._message_for_tools(lambda _tool: True)

    def fit_advice_to_tools(self, has_tool: Callable[[str], bool]) -> None:
        """Advise only what this caller can call."""
        if self.advice:
            self.message = self._message_for_tools(has_tool)

    def _message_for_tools(self, has_tool: Callable[[str], bool]) -> str:
        fitting = (advice.text for advice in self.advice if all(map(has_tool, advice.tools)))
        return f"{self.statement} {next(fitting, '')}".rstrip()


class Unauthenticated(Refusal):
    code = "unauthenticated"


# By noun: which tool shows what there is.
LISTED_BY = {
    "action": (
        Advice("list_available_specs shows what there is.", ("list_available_specs",)),
        Advice("list_tasks shows those of a project.", ("list_tasks",)),
    ),
    "agent run": (Advice("Start one with start_agent_run.", ("start_agent_run",)),),
    "attachment": (Advice("get_action_brief and get_spec show those of a spec.", ("get_action_brief", "get_spec")),),
    "clarification": (Advice("get_action_brief shows the questions on an action.", ("get_action_brief",)),),
    "comment": (Advice("list_comments shows those of a project.", ("list_comments",)),),
    "document": (Advice("list_documents shows those of a project.", ("list_documents",)),),
    "draft": (Advice("get_draft with a spec_id shows the open ones of a spec.", ("get_draft",)),),
    "edge": (Advice("get_task shows those of a task.", ("get_task",)),),
    "note": (Advice("list_notes shows those of a project.", ("list_notes",)),),
    "project": (Advice("list_projects shows what there is.", ("list_projects",)),),
    "published spec": (Advice("list_available_specs shows yours.", ("list_available_specs",)),),
    "submission": (Advice("list_submissions shows those of a project.", ("list_submissions",)),),
}


class NotFound(Refusal):
    """`nearest` are those that the caller may see: so it says the same of what is absent and of what is hidden."""

    code = "not_found"

    def __init__(self, noun: str, ident: str = "", nearest: Sequence[str] = ()) -> None:
        named = f" {ident[:64]!r}" if ident else ""
        near = f" Nearest: {', '.join(nearest)}." if nearest else ""
        super().__init__(
            f"No {noun}{named} is visible to you.{near}",
            person_message=f"No {noun}{named} is visible to you. Check the address, or search for it.",
            advice=(*LISTED_BY.get(noun, ()), Advice("Check the id.")),
        )
        self.noun = noun


class NoSuchRevision(NotFound):
    def __init__(self, revision: int, newest: int) -> None:
        Refusal.__init__(self, f"This text has no revision {revision}: its newest is {newest}.", newest=newest)


class NotReady(NotFound):
    def __init__(self, message: str, advice: Sequence[Advice]) -> None:
        Refusal.__init__(self, message, advice=advice)


class LinkLeadsNowhere(NotFound):
    """One answer for all cases: a guest cannot learn which links existed."""

    def __init__(self) -> None:
        Refusal.__init__(
            self,
            "This link does not work: it is incomplete, has expired, or was revoked. Ask the person who sent it to you "
            "for a new one.",
        )


class Forbidden(Refusal):
    code = "forbidden"


class MissingScope(Forbidden):
    code = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        # Written out: scopes are defined on top of the refusals.
        message = (
            "Only a person who is signed in may do this, in the web app or with the cookie of a sign-in; no token can."
            if scope == "person"
            else f"This needs the scope {scope}, which your token does not have. Ask your user for a token that has it."
        )
        super().__init__(message, scope=scope)


class RoleForbids(Forbidden):
    code = "role_forbids"


class NotParticipant(Forbidden):
    code = "not_a_participant"


class HeldByAnother(Forbidden):
    code = "held_by_another"


class Conflict(Refusal):
    code = "conflict"


class AlreadyClaimed(Conflict):
    code = "already_claimed"


class HeldByYourOtherSession(Conflict):
    code = "held_by_your_other_session"


class ClaimLost(Conflict):
    code = "claim_lost"


class RevisionConflict(Conflict):
    code = "revision_conflict"


class RuleBroken(Refusal):
    code = "rule_broken"


class BadField(RuleBroken):
    code = "bad_field"

    def __init__(self, field: str, problem: str, advice: Sequence[Advice] = ()) -> None:
        super().__init__(f"{field}: {problem}" if field else problem, advice=advice, field=field)


class OAuthRefused(Refusal):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code=code)


class TooLarge(Refusal):
    code = "too_large"


class WrongMediaType(Refusal):
    code = "unsupported_media_type"


class TooManyRequests(Refusal):
    code = "too_many_requests"


class OtherServerSilent(Refusal):
    code = "other_server_silent"


class Unavailable(Refusal):
    code = "unavailable"
