"""Who may read what in the log.

How people get in (tokens, clients, sessions, sign-ins, invites with their addresses) is read by admins and by those it
is about. Only signed in: no token lists any of that, so none finds it in the log. store/events.py says the same in SQL,
so that pages and cursors stay right.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from pendesk.domain.access import NO_USER, Actor, Role, Scope
from pendesk.domain.event import EventKind

_NOUNS = ("token", "grant", "sign_in_link", "session", "invite")
_KINDS: tuple[str, ...] = get_args(EventKind)
PRIVATE_KINDS = frozenset(
    {"user.password_set", "user.linked"} | {kind for kind in _KINDS if kind.partition(".")[0] in _NOUNS}
)
PUBLIC_KINDS = frozenset(_KINDS) - PRIVATE_KINDS


class Viewer(NamedTuple):
    """everything: as an admin. own: whose private events are seen beside what is public; NO_USER where nobody's are."""

    everything: bool
    own: str

    def see(self, about: frozenset[str] | None) -> bool:
        return self.everything or about is None or self.own in about


SEES_EVERYTHING = Viewer(everything=True, own=NO_USER)


def viewer_of(actor: Actor) -> Viewer:
    if Scope.PERSON not in actor.scopes:
        return Viewer(everything=False, own=NO_USER)
    return Viewer(actor.role >= Role.ADMIN, actor.user_id)


def whom_it_is_about(kind: str, actor_id: str | None, object_id: str, data: Mapping[str, Any]) -> frozenset[str] | None:
    """The users who may read a private event; None where everyone may read it."""
    if kind not in PRIVATE_KINDS:
        return None
    return frozenset(each for each in (actor_id, object_id, data.get("user")) if each)
