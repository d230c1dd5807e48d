"""Who may read which events of the log.

How people get in (tokens, clients, sessions, sign-ins, invites) is read by admins, by the user who caused the event
and by the user it is about. Only signed in: no token lists any of that, so none may read it in the log. store/events.py
compares the same columns in SQL, so that pages and cursors stay right.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from pendesk.domain.access import NO_USER, Actor, Role, Scope
from pendesk.domain.event import EventKind

_PRIVATE_NOUNS = ("token", "grant", "sign_in_link", "session", "invite")
_KINDS: tuple[str, ...] = get_args(EventKind)
PRIVATE_KINDS = frozenset(
    {"user.password_set", "user.linked"} | {kind for kind in _KINDS if kind.partition(".")[0] in _PRIVATE_NOUNS}
)
PUBLIC_KINDS = frozenset(_KINDS) - PRIVATE_KINDS


class Viewer(NamedTuple):
    """all_events: as an admin. user_id: whose private events are seen beside the public ones; NO_USER: no one's."""

    all_events: bool
    user_id: str

    def can_see_event(self, kind: str, actor_id: str | None, about_user_id: str | None) -> bool:
        if self.all_events or kind not in PRIVATE_KINDS:
            return True
        return self.user_id != NO_USER and self.user_id in (actor_id, about_user_id)


SEES_EVERYTHING = Viewer(all_events=True, user_id=NO_USER)


def viewer_of(actor: Actor) -> Viewer:
    if Scope.PERSON not in actor.scopes:
        return Viewer(all_events=False, user_id=NO_USER)
    return Viewer(actor.role >= Role.ADMIN, actor.user_id)


# Events about a claim: the log names it, for the fold; what is shown names the action, because the id of a claim is for
# the session that holds it.
_ABOUT_CLAIM = frozenset({"action.claimed", "action.released"})
_CLAIM_FIELDS = frozenset({"claimId", "lostClaimId"})


def shown_object_id(kind: str, object_id: str, action_id: str | None) -> str:
    return action_id or object_id if kind in _ABOUT_CLAIM else object_id


def shown_event_data(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Without ids of claims; the recorded states, which are full of them, are for the fold alone."""
    hidden = _CLAIM_FIELDS | {"actions"} if kind == "state.recorded" else _CLAIM_FIELDS
    return {name: value for name, value in data.items() if name not in hidden}
