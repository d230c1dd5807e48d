"""The texts of a brief: as published, field by field, and what changed in them since the holder read it."""

from typing import Any

from pendesk.domain.build import brief_revision_hash, diff_briefs_by_field
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.limits import CHANGE_CHARS, CHANGES_TOLD
from pendesk.operations.operation import Call
from pendesk.store import builds, criteria, revisions
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


def brief_changes_since_last_seen(
    call: Call, claim: Claim, texts: BriefTexts, facts: ActionFacts
) -> list[dict[str, str]]:
    differences = diff_briefs_by_field(_last_seen_brief_fields(call, claim, facts), brief_texts_by_field_name(texts))
    listed = [{name: text[:CHANGE_CHARS] for name, text in change.items()} for change in differences[:CHANGES_TOLD]]
    more = len(differences) - len(listed)
    return listed if more == 0 else [*listed, {"field": f"and {more} more: read the brief whole"}]


def _last_seen_brief_fields(call: Call, claim: Claim, facts: ActionFacts) -> dict[str, Any]:
    if claim.seen_build_id is not None:
        seen = builds.brief_texts(call.tx, claim.seen_build_id, facts.action.id)
        if seen is not None:
            return brief_texts_by_field_name(seen)
    return revisions.content(call.tx, facts.action.id, claim.seen_revision or 1)


def brief_texts_by_field_name(texts: BriefTexts) -> dict[str, Any]:
    """The texts of a brief under the names that the agent knows them by."""
    spec = {f"spec.{name}": value for name, value in texts.spec.items() if name not in ("id", "revision")}
    action = {f"action.{name}": value for name, value in texts.action.items()}
    return spec | action | ({"plan.approach": texts.plan["approach"]} if texts.plan else {})
