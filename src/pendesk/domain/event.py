"""The one log: what an event is, and every kind there is."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Self, get_args, get_origin, get_type_hints

# noun.verb, in the past tense; a new kind is added here first.
EventKind = Literal[
    "workspace.created",
    "workspace.renamed",
    "workspace.participation_changed",
    "secret.rotated",
    "user.created",
    "user.password_set",
    "user.linked",
    "member.added",
    "member.renamed",
    "member.role_changed",
    "member.handed_over",
    "member.removed",
    "agent.renamed",
    "agent_session.paused",
    "agent_session.resumed",
    "agent_session.stopped",
    "token.created",
    "token.handed_over",
    "token.revoked",
    "grant.created",
    "grant.revoked",
    "sign_in_link.created",
    "session.started",
    "session.ended",
    "invite.created",
    "invite.revoked",
    "project.created",
    "project.edited",
    "project.activity_changed",
    "project.imported",
    "project.deleted",
    "goal.created",
    "goal.edited",
    "goal.deleted",
    "spec.created",
    "spec.edited",
    "spec.deleted",
    "proposal.created",
    "proposal.decided",
    "participant.added",
    "participant.removed",
    "plan.created",
    "plan.edited",
    "plan.deleted",
    "plan.activated",
    "plan.ordered",
    "action.created",
    "action.edited",
    "action.moved",
    "action.reopened",
    "action.deleted",
    "criterion.created",
    "criterion.edited",
    "criterion.removed",
    "criterion.restored",
    "criterion.advanced",
    "edge.created",
    "edge.removed",
    "canvas.arranged",
    "build.published",
    "action.claimed",
    "action.resumed",
    "action.released",
    "action.progressed",
    "action.dropped",
    "action.dependents_released",
    "action.submitted",
    "action.resubmitted",
    "action.reviewed",
    "action.overlapped",
    "report.late",
    "clarification.asked",
    "clarification.answered",
    "message.sent",
    "message.delivered",
    "message.acknowledged",
    "message.cancelled",
    "commit.reported",
    "test.reported",
    "test_report.uploaded",
    "commit.pushed",
    "change.pushed",
    "deviations.recorded",
    "deviations.accepted",
    "branch.force_pushed",
    "pull_request.changed",
    "checks.changed",
    "evidence.added",
    "evidence.staled",
    "state.recorded",
    "webhook.set",
    "webhook.handed_over",
    "webhook.removed",
    "github_token.set",
    "github_token.removed",
    "outgoing_webhook.created",
    "outgoing_webhook.edited",
    "outgoing_webhook.handed_over",
    "outgoing_webhook.removed",
    "outgoing_webhook.failing",
    "document.created",
    "document.edited",
    "document.moved",
    "document.deleted",
    "note.created",
    "note.edited",
    "note.deleted",
    "view.created",
    "view.edited",
    "view.deleted",
    "comment.added",
    "comment.edited",
    "comment.resolved",
    "comment.deleted",
    "run.started",
    "run.progressed",
    "run.ended",
    "share.created",
    "share.handed_over",
    "share.revoked",
    "project.published",
    "project.pushed",
    "submission.received",
    "submission.triaged",
    "picture.received",
    "picture.handed_over",
    "picture.removed",
    "attachment.added",
    "attachment.removed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventData:
    """What an event says beside its columns, for kinds whose data is read again; domain/event_data.py has them all.

    A field without a default is always written, also as null; the only default is None, and is left out. Older data
    may lack anything: `from_wire` reads a blank for what is missing or of another type.
    """

    def to_wire(self) -> dict[str, Any]:
        return {
            wire_name: value
            for name, wire_name, required, _ in _wire_fields(type(self))
            if (value := getattr(self, name)) is not None or required
        }

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{field.name: field.read_or_default(data) for field in _wire_fields(cls)})

    def user_written_text(self) -> str:
        """What somebody wrote, to be shown below the phrase."""
        return next((text for name in OWN_WORDS if isinstance(text := getattr(self, name, None), str) and text), "")


OWN_WORDS = ("message", "question", "answer", "summary", "reason", "body", "text", "evidence")


class _WireField(NamedTuple):
    name: str
    wire_name: str
    required: bool
    types: tuple[type, ...]

    def read_or_default(self, data: Mapping[str, Any]) -> Any:
        value = data.get(self.wire_name)
        if value is not None and isinstance(value, self.types):
            return value
        return None if NoneType in self.types else self.types[0]()


_WIRE_FIELDS: dict[type[EventData], tuple[_WireField, ...]] = {}


def _wire_fields(data_class: type[EventData]) -> tuple[_WireField, ...]:
    wire_fields = _WIRE_FIELDS.get(data_class)
    if wire_fields is None:
        wire_fields = _WIRE_FIELDS[data_class] = _build_wire_fields(data_class)
    return wire_fields


def _build_wire_fields(data_class: type[EventData]) -> tuple[_WireField, ...]:
    hints = get_type_hints(data_class)
    return tuple(
        _WireField(field.name, _camel_case(field.name), field.default is MISSING, _runtime_types(hints[field.name]))
        for field in fields(data_class)
    )


def _runtime_types(type_hint: Any) -> tuple[type, ...]:
    options = get_args(type_hint) if get_origin(type_hint) is UnionType else (type_hint,)
    return tuple(get_origin(option) or option for option in options)


def _camel_case(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)


class Event(NamedTuple):
    """A change about to be recorded. Who, when and its number are added by the dispatcher and the store.

    `about_user_id`: the user a private event is about, who may read it although somebody else caused it. See
    domain/event_visibility.py.
    """

    kind: EventKind
    object_id: str
    project_id: str | None = None
    spec_id: str | None = None
    action_id: str | None = None
    data: EventData | Mapping[str, Any] = {}
    about_user_id: str | None = None


class LoggedEvent(NamedTuple):
    """An event as the log holds it; `data` is JSON text."""

    seq: int
    at: int
    kind: str
    actor_id: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_id: str | None
    spec_id: str | None
    action_id: str | None
    data: str
    about_user_id: str | None = None
    agent_session_id: str | None = None
