"""Which events somebody wants: of one project or action, of some kinds."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol, get_args

from pendesk.domain.errors import BadField
from pendesk.domain.event import EventKind

KINDS: tuple[str, ...] = get_args(EventKind)


class Sortable(Protocol):
    """What an event is chosen by."""

    @property
    def kind(self) -> str: ...
    @property
    def project_id(self) -> str | None: ...
    @property
    def action_id(self) -> str | None: ...


class EventFilter(NamedTuple):
    """Ids, and kinds by their full names; None lets all through."""

    project_id: str | None = None
    action_id: str | None = None
    kinds: frozenset[str] | None = None

    def lets(self, event: Sortable) -> bool:
        return (
            (self.project_id is None or self.project_id == event.project_id)
            and (self.action_id is None or self.action_id == event.action_id)
            and (self.kinds is None or event.kind in self.kinds)
        )


def named_kinds(words: Iterable[str], field: str) -> frozenset[str] | None:
    """`action.claimed` is one kind, `action` or `action.*` all of a noun; no word at all means every kind."""
    found: set[str] = set()
    for word in words:
        noun = word.removesuffix(".*") + "."
        kinds = {kind for kind in KINDS if kind == word or kind.startswith(noun)}
        if not kinds:
            raise BadField(field, f"{word[:64]!r} is no kind of event; write e.g. action.claimed, or action for all.")
        found |= kinds
    return frozenset(found) or None
