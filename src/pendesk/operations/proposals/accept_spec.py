"""What a person accepted of a drafted spec, written as their own edit."""

from typing import Any

from pendesk.domain.proposal import LISTS, Proposal, ProposedItem, merge_list
from pendesk.operations.operation import Call
from pendesk.operations.proposals.checked_input import checked_input
from pendesk.operations.revisions import revision_content
from pendesk.operations.specs import create_spec, update_spec
from pendesk.operations.specs.find import find_and_lock_spec


def accept_spec(call: Call, proposal: Proposal, items: list[ProposedItem], accepted: dict[str, str]) -> str:
    """The spec's id. accepted: item id -> its text."""
    if proposal.spec_id is None:
        fields = {"project_id": proposal.project_id, **_new_texts({}, items, accepted)}
        return create_spec.run(call, checked_input(create_spec.CreateSpec, fields)).pid
    spec = find_and_lock_spec(call, proposal.spec_id)
    fields = {"spec_id": spec.id, **_new_texts(revision_content.spec_content(spec), items, accepted)}
    return update_spec.run(call, checked_input(update_spec.UpdateSpec, fields)).pid


def _new_texts(present: dict[str, Any], items: list[ProposedItem], accepted: dict[str, str]) -> dict[str, Any]:
    """Of the fields in which something was accepted."""
    texts: dict[str, Any] = {name: accepted[name] for name in ("title", "summary") if name in accepted}
    for name in LISTS:
        lines = [item for item in items if item.field == name]
        if any(item.id in accepted for item in lines):
            texts[name] = merge_list(present.get(name, []), lines, accepted)
    return texts
