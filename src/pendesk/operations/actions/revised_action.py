"""An action and its criteria are one text: editing either makes the action's next revision."""

from typing import Any

from pendesk.domain.action import Action
from pendesk.domain.criterion import Criterion
from pendesk.operations.operation import Call
from pendesk.operations.projects import search_index
from pendesk.operations.revisions import edits, revision_content
from pendesk.operations.revisions.edits import Edit
from pendesk.store import actions
from pendesk.store.engine.json_text import to_json


def edit_action(
    call: Call,
    action: Action,
    criteria_before: list[Criterion],
    criteria_after: list[Criterion],
    new_fields: dict[str, Any],
    expected_revision: int | None,
) -> tuple[Action, Edit]:
    """Change the fields that are not None. The action must be locked;
    `criteria_after` are its criteria as they are now.
    """
    new_fields = new_fields | {
        "action.criteria": revision_content.action_content(action, criteria_after)["action.criteria"]
    }
    edit = edits.apply_edit_and_add_revision(
        call,
        action.id,
        action.revision,
        revision_content.action_content(action, criteria_before),
        new_fields,
        expected_revision,
    )
    if not edit.changed:
        return action, edit
    action = action._replace(
        label=edit.content["action.label"],
        description=edit.content["action.description"],
        area=edit.content["action.area"],
        paths=to_json(edit.content["action.paths"]),
        revision=edit.revision,
        updated_at=call.now,
    )
    actions.update(call.tx, action)
    search_index.index_action(call, action, criteria_after)
    return action, edit
