"""The criteria that an agent works for, and what is shown for them."""

from collections.abc import Iterable

from pendesk.domain.action import Action
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import Criterion, CriterionStatus, EvidenceLevel, advance_criteria_status
from pendesk.domain.evidence import AddedEvidence, PublishedCriterion, new_evidence
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.store import builds, criteria


def published_criteria_by_id(call: Call, facts: ActionFacts) -> dict[str, PublishedCriterion]:
    """By id, those of the published build: what people write between two builds is not for agents yet.

    A task without a build is read as it is.
    """
    present = criteria.of_action(call.tx, facts.action.id)
    texts = builds.brief_texts(call.tx, facts.build_id, facts.action.id) if facts.build_id else None
    if texts is None:
        return {criterion.id: PublishedCriterion(criterion, criterion.revision) for criterion in present}
    revisions = {published["id"]: published["revision"] for published in texts.action["criteria"]}
    return {
        criterion.id: PublishedCriterion(criterion, revisions[criterion.id])
        for criterion in present
        if criterion.id in revisions
    }


def criterion_text_by_id(published: dict[str, PublishedCriterion]) -> dict[str, str]:
    return {criterion_id: entry.criterion.text for criterion_id, entry in published.items()}


def add_evidence(
    call: Call,
    level: EvidenceLevel,
    sha: str | None,
    criteria_with_text_and_source_id: Iterable[tuple[PublishedCriterion, str, str]],
) -> AddedEvidence:
    """Criteria, each with the text of its evidence and the id of what gave it."""
    given_by = None if level == EvidenceLevel.CI else call.actor.user_id
    pieces = [
        new_evidence(new_id(), criterion, level, sha, text, source_id, given_by, call.now)
        for criterion, text, source_id in criteria_with_text_and_source_id
    ]
    for piece in pieces:
        criteria.add_evidence(call.tx, piece)
    return AddedEvidence(level, pieces)


def advance_and_save_criteria_status(
    call: Call, action: Action, candidates: Iterable[Criterion], status: CriterionStatus, agent_model: str | None
) -> list[Criterion]:
    """Those that moved, as they are now. Nothing is written where none does."""
    advanced = advance_criteria_status(action, candidates, status)
    if advanced is None:
        return []
    criteria.advance_status_if_earlier(call.tx, [criterion.id for criterion in advanced.criteria], status)
    call.record(advanced.event, agent_model)
    return advanced.criteria
