"""A brief as it says the same to anyone: the instructions, and what was asked about them."""

from typing import Any

from pendesk.domain.action import ref_code, status_for_agents
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import QuestionState
from pendesk.domain.evidence import EvidenceHistory, EvidenceState, evidence_state
from pendesk.domain.limits import BRIEF_DOCUMENTS, SIBLINGS_IN_BRIEF
from pendesk.operations.building.brief_results import (
    ActionBrief,
    AttachmentBrief,
    Brief,
    CriterionBrief,
    CriterionText,
    DocumentBrief,
    DocumentText,
    PlanBrief,
    SiblingBrief,
    SpecBrief,
)
from pendesk.operations.building.brief_review import review_brief
from pendesk.operations.building.results import clarification_results
from pendesk.operations.operation import Call
from pendesk.store import actions, clarifications, documents, reviews
from pendesk.store.action_records import ActionRecords
from pendesk.store.builds import BriefTexts


def make_brief(
    call: Call,
    facts: ActionFacts,
    texts: BriefTexts,
    history_by_criterion_id: dict[str, EvidenceHistory],
    records: ActionRecords,
) -> Brief:
    rows = clarifications.of_action(call.tx, facts.action.id) if records.questions else []
    questions = clarification_results(call, rows, for_agent=True)
    unmet = reviews.newest_unmet_reason_by_criterion_id(call.tx, facts.action.id) if records.submissions else {}
    return Brief(
        action=_action_brief(facts, texts, history_by_criterion_id, unmet),
        spec=spec_brief(texts.spec) if texts.spec else None,
        plan=PlanBrief(approach=texts.plan["approach"]) if texts.plan else None,
        sibling_actions=[],
        open_clarifications=[question for question in questions if question.status == QuestionState.OPEN],
        brief_rev=texts.brief_rev,
        answered_clarifications=[question for question in questions if question.status == QuestionState.ANSWERED],
        review=review_brief(call, facts) if records.submissions else None,
    )


def _action_brief(
    facts: ActionFacts,
    texts: BriefTexts,
    histories: dict[str, EvidenceHistory],
    unmet_reason_by_criterion_id: dict[str, str],
) -> ActionBrief:
    action = facts.action
    return ActionBrief(
        pid=action.id,
        ref_code=facts.ref,
        label=texts.action["label"],
        description=texts.action["description"],
        area=texts.action["area"],
        status=status_for_agents(action.state),
        paths=texts.action["paths"],
        acceptance_criteria=[
            criterion_brief(criterion, histories[criterion["id"]], unmet_reason_by_criterion_id.get(criterion["id"]))
            for criterion in texts.action["criteria"]
            if criterion["id"] in histories
        ],
    )


def criterion_brief(
    criterion_snapshot: dict[str, Any], history: EvidenceHistory, called_unmet: str | None = None
) -> CriterionBrief:
    state = evidence_state(history)
    is_confirmed = state == EvidenceState.CONFIRMED
    return CriterionBrief(
        id=criterion_snapshot["id"],
        text=criterion_snapshot["text"],
        status=history.status,
        evidence_state=state.value,
        untrusted=CriterionText(called_unmet=called_unmet) if called_unmet and is_confirmed else None,
    )


def spec_brief(spec_snapshot: dict[str, Any]) -> SpecBrief:
    """A spec as a build froze it."""
    return SpecBrief(
        pid=spec_snapshot["id"],
        title=spec_snapshot["title"],
        summary=spec_snapshot["summary"],
        results=spec_snapshot["results"],
        conditions=spec_snapshot["conditions"],
        boundaries=spec_snapshot["boundaries"],
        attachments=[
            AttachmentBrief(
                pid=attachment["id"],
                name=attachment["name"],
                media_type=attachment["mediaType"],
                size_bytes=attachment["sizeBytes"],
            )
            for attachment in spec_snapshot["attachments"]
        ],
    )


def sibling_briefs(call: Call, facts: ActionFacts) -> list[SiblingBrief]:
    rows = actions.plan_siblings_with_holder_id(call.tx, facts.action, SIBLINGS_IN_BRIEF)
    return [
        SiblingBrief(
            pid=pid,
            ref_code=ref_code(facts.project_key, number),
            label=label,
            area=area,
            status=status_for_agents(state),
            claimed_by=holder,
        )
        for pid, number, label, area, state, holder in rows
    ]


def read_ahead_siblings(call: Call, facts: ActionFacts) -> None:
    actions.read_ahead_plan_siblings(call.tx, facts.action, SIBLINGS_IN_BRIEF)


def linked_documents(call: Call, facts: ActionFacts) -> list[DocumentBrief]:
    """What people and agents wrote down about this action."""
    rows = documents.linked_to_action(call.tx, facts.action.id, BRIEF_DOCUMENTS)
    return [DocumentBrief(pid=row.id, title=row.title, untrusted=DocumentText(body=row.body)) for row in rows]
