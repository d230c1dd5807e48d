"""Who the actions of another program's file are assigned to here: the member or agent who has that name or email.

Where there is none, the name becomes a label (@ada), and the report says so. The people of an export of our own are in
people_map.py.
"""

from typing import Any, NamedTuple

from pendesk.domain.assignee import UNASSIGNED, Assignee
from pendesk.domain.label import acceptable_labels
from pendesk.domain.limits import ACTION_LABELS, ASSIGNABLE_COMPARED
from pendesk.operations.actions.action_fields import labels_of, labels_to_column
from pendesk.operations.operation import Call
from pendesk.store import assignees

LABELS_IN_WARNING = 10


class NamedAssignee(NamedTuple):
    """What the file calls them: the names to look for, the first of which it shows."""

    id: str
    names: list[str]


class ImportedAssignees(NamedTuple):
    """By their id in the staged file: who they are here, and the label of those who are nobody."""

    assignee_by_id: dict[str, Assignee]
    label_by_id: dict[str, str]

    def columns(self, action_row: dict[str, Any]) -> dict[str, Any]:
        """The columns of an action that follow from them. Labels of a file need not be as ours are."""
        ident = action_row["assignee_user_id"] or ""
        label = self.label_by_id.get(ident)
        labels = labels_of(action_row["labels"])
        labels = labels if label is None else [*labels[: ACTION_LABELS - 1], label]
        columns = {"assignee_agent_id": None, "labels": labels_to_column(acceptable_labels(labels))}
        if ident in self.assignee_by_id or label is not None:
            assignee = self.assignee_by_id.get(ident, UNASSIGNED)
            columns |= {"assignee_user_id": assignee.user_id, "assignee_agent_id": assignee.agent_id}
        return columns

    def warnings(self) -> list[str]:
        labels = sorted(set(self.label_by_id.values()))
        if not labels:
            return []
        more = f" and {len(labels) - LABELS_IN_WARNING} more" if len(labels) > LABELS_IN_WARNING else ""
        shown = ", ".join(labels[:LABELS_IN_WARNING]) + more
        return [f"Some actions are assigned to nobody who is here; they have a label instead: {shown}."]


def match_assignees(call: Call, named: list[NamedAssignee]) -> ImportedAssignees:
    matches = {assignee.id: _only_match(call, assignee.names) for assignee in named}
    return ImportedAssignees(
        {ident: match for ident, match in matches.items() if match is not None},
        {assignee.id: _label(assignee.names[0]) for assignee in named if matches[assignee.id] is None},
    )


def _only_match(call: Call, names: list[str]) -> Assignee | None:
    """By the first of the names that one member or agent has, in whatever case."""
    for name in names:
        matches = assignees.named(call.tx, name) or [
            assignable
            for assignable in assignees.all_assignable(call.tx, ASSIGNABLE_COMPARED)
            if assignable.name.casefold() == name.casefold()
        ]
        if len(matches) == 1:
            return matches[0].assignee
    return None


def _label(name: str) -> str:
    return next(iter(acceptable_labels([f"@{name.lstrip('@')}"])), "@unknown")
