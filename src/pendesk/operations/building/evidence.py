"""What an agent was asked to show, and what it gives to show it."""

from typing import NamedTuple

from pendesk.domain.criterion import Criterion, Evidence, Level
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.store import builds, criteria
from pendesk.store.actions import ActionFacts

REWORDED = "The criterion was reworded after the build that this was shown for."


class Told(NamedTuple):
    """A criterion as it stands, and the revision of it that the agent reads."""

    criterion: Criterion
    revision: int


def told_criteria(call: Call, facts: ActionFacts) -> dict[str, Told]:
    """By id, those of the published build: what people write between two builds is asked of nobody yet.

    A task without a build is read as it stands.
    """
    present = criteria.of_action(call.tx, facts.action.id)
    texts = builds.brief_texts(call.tx, facts.build_id, facts.action.id) if facts.build_id else None
    if texts is None:
        return {one.id: Told(one, one.revision) for one in present}
    published = {one["id"]: one["revision"] for one in texts.action["criteria"]}
    return {one.id: Told(one, published[one.id]) for one in present if one.id in published}


def give_evidence(call: Call, told: Told, level: Level, sha: str | None, text: str, source_id: str) -> None:
    """Bound to the text it was given for; where that has been reworded since, it is stale from the start."""
    stale = told.revision != told.criterion.revision
    piece = Evidence(
        id=new_id(),
        action_id=told.criterion.action_id,
        criterion_id=told.criterion.id,
        criterion_revision=told.revision,
        level=level,
        sha=sha,
        text=text,
        source_id=source_id,
        given_by=None if level == "ci" else call.actor.user_id,
        given_at=call.now,
        stale_reason=REWORDED if stale else None,
        stale_at=call.now if stale else None,
    )
    criteria.add_evidence(call.tx, piece)
