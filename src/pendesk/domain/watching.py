"""Watching: who hears of comments on an action or a spec and of changes of its state, and why.

Who wrote it, is assigned, commented or was mentioned watches it, and who watches its spec or its project. Whoever says
otherwise for the action, the spec or the project is taken at their word, by the nearest of the three.
"""

from typing import Literal, NamedTuple

from pendesk.domain.event import Event, EventKind
from pendesk.domain.event_data import CommentData

WatchedKind = Literal["action", "spec", "project"]
WatchReason = Literal["chosen", "author", "assignee", "commented", "mentioned", "spec", "project"]

# What happened, after the name of who did it. Of these kinds somebody who watches hears.
WATCHED_PHRASES: dict[EventKind, str] = {
    "comment.added": "commented",
    "action.claimed": "claimed it",
    "action.released": "released it",
    "action.submitted": "submitted it for review",
    "action.resubmitted": "submitted it for review again",
    "action.reviewed": "reviewed it",
    "action.moved": "moved it",
    "action.reopened": "reopened it",
    "action.dropped": "dropped it",
    "build.published": "published a build",
}


class Watcher(NamedTuple):
    user_id: str
    name: str
    why: WatchReason


class Watched(NamedTuple):
    """What may be watched. `spec_id`: of the spec that an action is in."""

    kind: WatchedKind
    object_id: str
    project_id: str
    spec_id: str | None = None


class Happening(NamedTuple):
    """Of which those hear who watch. `session_id`: of the agent that did it."""

    watched: Watched
    kind: EventKind
    actor_id: str
    session_id: str | None


def happening_of(event: Event, actor_id: str, session_id: str | None) -> Happening | None:
    """None where nobody hears of it: a comment on a document is no happening of the action it is linked to."""
    if event.kind not in WATCHED_PHRASES or event.project_id is None:
        return None
    if isinstance(event.data, CommentData) and event.data.document is not None:
        return None
    if event.action_id is not None:
        watched = Watched("action", event.action_id, event.project_id, event.spec_id)
    elif event.spec_id is not None:
        watched = Watched("spec", event.spec_id, event.project_id)
    else:
        return None
    return Happening(watched, event.kind, actor_id, session_id)
