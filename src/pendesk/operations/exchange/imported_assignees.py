"""Who the actions of a file are assigned to here.

A person of an export is who they are here, if they are a present member; a name in another program's file is the member
or agent who has it as name or email. Where there is none, the name becomes a label (@ada), and the report says so.
"""

from typing import Any, NamedTuple

from pendesk.domain.assignee import Assignee
from pendesk.domain.label import acceptable_labels
from pendesk.domain.limits import ACTION_LABELS
from pendesk.operations.actions.action_fields import labels_of, labels_to_column
from pendesk.operations.exchange.people_map import PeopleMap
from pendesk.operations.operation import Call
from pendesk.store import assignees

NAMES_IN_WARNING = 10


class NamedAssignee(NamedTuple):
    """Of another program's file: what it calls them, the first name first."""

    id: str
    names: list[str]


class ImportedAssignees(NamedTuple):
    """By their id in the file: who they are here, and the label of those who are nobody."""

    assignee_by_id: dict[str, Assignee]
    label_by_id: dict[str, str]

    def columns(self, row: dict[str, Any]) -> dict[str, Any]:
        """Of an action's row, as it was in the file."""
        labels = acceptable_labels(labels_of(row["labels"]))
        label = self.label_by_id.get(row["assignee_user_id"] or "")
        if label is not None:
            labels = acceptable_labels([*labels[: ACTION_LABELS - 1], label])
        assignee = self.assignee_by_id.get(row["assignee_user_id"] or "", Assignee())
        return {
            "assignee_user_id": assignee.user_id,
            "assignee_agent_id": assignee.agent_id,
            "labels": labels_to_column(labels),
        }

    def warnings(self) -> list[str]:
        labels = sorted(set(self.label_by_id.values()))
        if not labels:
            return []
        more = f" and {len(labels) - NAMES_IN_WARNING} more" if len(labels) > NAMES_IN_WARNING else ""
        shown = ", ".join(labels[:NAMES_IN_WARNING]) + more
        return [f"No member or agent here is who some actions are assigned to; those have a label instead: {shown}."]


def match_assignees(
    call: Call, used_ids: set[str], named: list[NamedAssignee], name_by_person_id: dict[str, str], people: PeopleMap
) -> ImportedAssignees:
    names_by_id = {ident: [name_by_person_id[ident]] for ident in used_ids & name_by_person_id.keys()}
    local = {ident: people.local_id_by_id.get(ident, ident) for ident in names_by_id}
    matches = {ident: _only_match(call, [local_id]) for ident, local_id in local.items()}
    for assignee in named:
        if assignee.id in used_ids:
            names_by_id[assignee.id] = assignee.names
            matches[assignee.id] = _only_match(call, assignee.names)
    return ImportedAssignees(
        {ident: match for ident, match in matches.items() if match is not None},
        {ident: _label(names_by_id[ident][0]) for ident, match in matches.items() if match is None},
    )


def _only_match(call: Call, names: list[str]) -> Assignee | None:
    for name in names:
        matches = assignees.named(call.tx, name)
        if len(matches) == 1:
            return matches[0].assignee
    return None


def _label(name: str) -> str:
    return next(iter(acceptable_labels([f"@{name.lstrip('@')}"])), "@unknown")
