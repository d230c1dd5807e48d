"""The texts of a brief: as published, or as they are."""

from typing import Any

from pendesk.domain.build import brief_revision_hash
from pendesk.domain.claim import ActionFacts
from pendesk.operations.operation import Call
from pendesk.store import builds, criteria
from pendesk.store.builds import BriefTexts
from pendesk.store.engine.json_text import from_json, to_json


def published_or_current_brief_texts(call: Call, facts: ActionFacts) -> BriefTexts:
    """The published texts; a task without a build is read as it stands."""
    action = facts.action
    if facts.build_id is not None:
        published = builds.brief_texts(call.tx, facts.build_id, action.id)
        if published is not None:
            return published
    present = criteria.of_action(call.tx, action.id)
    snapshot = {
        "label": action.label,
        "description": action.description,
        "area": action.area,
        "paths": from_json(action.paths),
        "criteria": [{"id": criterion.id, "text": criterion.text} for criterion in present],
    }
    return BriefTexts({}, {}, snapshot, brief_revision_hash("", to_json(snapshot)))


def brief_texts_by_field_name(texts: BriefTexts) -> dict[str, Any]:
    """The texts of a brief under the names that the agent knows them by."""
    spec = {f"spec.{name}": value for name, value in texts.spec.items() if name not in ("id", "revision")}
    action = {f"action.{name}": value for name, value in texts.action.items()}
    return spec | action | ({"plan.approach": texts.plan["approach"]} if texts.plan else {})
