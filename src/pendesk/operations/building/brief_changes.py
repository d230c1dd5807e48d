"""What changed in a brief since the caller read it, for whoever names the briefRev of what they have."""

from typing import Any, NamedTuple

from pendesk.domain.build import TOO_LONG_TO_COMPARE, diff_briefs_by_field
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.limits import CHANGE_CHARS, CHANGES_TOLD
from pendesk.operations.building.brief_results import Brief
from pendesk.operations.building.brief_texts import brief_texts_by_field_name
from pendesk.operations.operation import Call
from pendesk.operations.truncate import READ_ON
from pendesk.store import builds, revisions
from pendesk.store.builds import BriefTexts

# The criteria stand under another name in the brief, and are there with their texts.
CRITERIA = "action.criteria"


class BriefChanges(NamedTuple):
    """As they are shown, and the fields of which not all is."""

    shown: list[dict[str, str]]
    shortened_fields: list[str]


def fields_of_brief_rev(
    call: Call, facts: ActionFacts, own_claim: Claim | None, brief_rev: str, texts: BriefTexts
) -> dict[str, Any] | None:
    """What a brief of that rev said; None where nothing is known of it."""
    if brief_rev == texts.brief_rev:
        return brief_texts_by_field_name(texts)
    if own_claim is not None and brief_rev == own_claim.seen_rev:
        return last_seen_brief_fields(call, facts, own_claim)
    published = builds.brief_texts_of_rev(call.tx, facts.action.id, brief_rev)
    return brief_texts_by_field_name(published) if published is not None else None


def last_seen_brief_fields(call: Call, facts: ActionFacts, claim: Claim) -> dict[str, Any]:
    if claim.seen_build_id is not None:
        seen = builds.brief_texts(call.tx, claim.seen_build_id, facts.action.id)
        if seen is not None:
            return brief_texts_by_field_name(seen)
    return revisions.content(call.tx, facts.action.id, claim.seen_revision or 1)


def brief_changes(fields_before: dict[str, Any], texts: BriefTexts) -> BriefChanges:
    fields = brief_texts_by_field_name(texts)
    differences = diff_briefs_by_field(fields_before, fields) if fields_before != fields else []
    shown = [{name: text[:CHANGE_CHARS] for name, text in change.items()} for change in differences[:CHANGES_TOLD]]
    shortened = [
        change["field"]
        for place, change in enumerate(differences)
        if place >= CHANGES_TOLD or any(_is_not_all(text) for text in change.values())
    ]
    more = len(differences) - len(shown)
    if more:
        shown.append({"field": f"and {more} more: read the brief whole"})
    return BriefChanges(shown, list(dict.fromkeys(shortened)))


def _is_not_all(text: str) -> bool:
    return len(text) > CHANGE_CHARS or text == TOO_LONG_TO_COMPARE


def reduce_to_changes(brief: Brief, fields_before: dict[str, Any], texts: BriefTexts) -> None:
    """Without the texts that the caller has; of a change that is too long to show, `cut` names the field.

    Answers stay, of which news has only the beginning.
    """
    changes = brief_changes(fields_before, texts)
    texts_before = {criterion["id"]: criterion["text"] for criterion in fields_before.get(CRITERIA, [])}
    for criterion in brief.action.acceptance_criteria:
        if texts_before.get(criterion.id) == criterion.text:
            criterion.text = ""
    brief.action.description, brief.action.paths = "", []
    brief.spec = brief.plan = None
    brief.changes, brief.unchanged = changes.shown, not changes.shown
    brief.cut = [field for field in changes.shortened_fields if field != CRITERIA]
    brief.read_on = READ_ON if brief.cut else None
