"""Every refusal there is.

Refusal
├── Unauthenticated       no, unknown, expired or revoked token or session
├── NotFound              missing, not visible, or not an identifier
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

A message says what is wrong and what to do next, to a person and to an agent alike. Where it has to speak of tools or
fields, `person` says the same to someone who sits at a page. The code is stable, for programs. `transports/problems.py`
gives each its HTTP status.
"""

from typing import Any

from pendesk.domain.event import Event


class Refusal(Exception):
    code = "refused"

    def __init__(self, message: str, *, code: str | None = None, person_message: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self._person = person_message
        self.details = details
        if code is not None:
            self.code = code

    @property
    def message_for_person(self) -> str:
        return self._person or self.message


class Unauthenticated(Refusal):
    code = "unauthenticated"


class NotFound(Refusal):
    code = "not_found"

    def __init__(self, noun: str, ident: str = "") -> None:
        # The same words for what is absent and for what is hidden: a refusal must not tell the two apart.
        named = f" {ident[:64]!r}" if ident else ""
        super().__init__(
            f"No {noun}{named} is visible to you. Check the id or ref code; list again to see what there is.",
            person_message=f"No {noun}{named} is visible to you. Check the address, or search for it.",
        )


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
            else f"This needs the scope {scope}, which your token does not have. Use a token that has it."
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
    """What a former holder sent is not lost: `late` is recorded although the write is refused."""

    code = "claim_lost"

    def __init__(self, message: str, *, late: Event | None, **details: Any) -> None:
        super().__init__(message, **details)
        self.late = late


class RevisionConflict(Conflict):
    code = "revision_conflict"


class RuleBroken(Refusal):
    code = "rule_broken"


class BadField(RuleBroken):
    code = "bad_field"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem, field=field)


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
