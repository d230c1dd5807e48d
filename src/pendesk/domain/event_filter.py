"""Filters on events: of one project or action, by one user or agent model, of some kinds."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol, get_args

from pendesk.domain.errors import BadField
from pendesk.domain.event import EventKind

KINDS: tuple[str, ...] = get_args(EventKind)


class FilterableEvent(Protocol):
    """The fields of an event that a filter compares."""

    @property
    def kind(self) -> str: ...
    @property
    def project_id(self) -> str | None: ...
    @property
    def action_id(self) -> str | None: ...
    @property
    def actor_id(self) -> str | None: ...
    @property
    def agent_model(self) -> str | None: ...


class EventFilter(NamedTuple):
    """Ids, a model, and kinds by their full names; a blank matches everything."""

    project_id: str = ""
    action_id: str = ""
    actor_id: str = ""
    agent_model: str = ""
    kinds: frozenset[str] | None = None

    def matches(self, event: FilterableEvent) -> bool:
        return (
            self.project_id in ("", event.project_id)
            and self.action_id in ("", event.action_id)
            and self.actor_id in ("", event.actor_id)
            and self.agent_model in ("", event.agent_model)
            and (self.kinds is None or event.kind in self.kinds)
        )

    def can_use_index(self) -> bool:
        """Any other filter searches a window of the log: what is rare costs no walk through all of it."""
        return self in (EventFilter(project_id=self.project_id), EventFilter(action_id=self.action_id)) and any(self)


def expand_kind_patterns(patterns: Iterable[str], input_field: str) -> frozenset[str] | None:
    """`action.claimed` is one kind, `action` or `action.*` all of a noun; no word at all means every kind."""
    named: set[str] = set()
    for word in patterns:
        noun = word.removesuffix(".*") + "."
        kinds = {kind for kind in KINDS if kind == word or kind.startswith(noun)}
        if not kinds:
            raise BadField(
                input_field, f"{word[:64]!r} is no kind of event; write e.g. action.claimed, or action for all."
            )
        named |= kinds
    return frozenset(named) or None
