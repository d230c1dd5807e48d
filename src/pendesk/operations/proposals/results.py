"""What callers read of a proposal."""

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.proposal import Decision, Proposal, ProposalState, ProposedItem, items_of, to_decide
from pendesk.operations.operation import Call, Output
from pendesk.operations.review.author import Authors, Who
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import Truncatable
from pendesk.store import actions, agent_sessions


class DraftSaved(Output):
    """items: how many a person decides about. url: where."""

    pid: str
    kind: str
    state: str
    version: int
    title: str
    items: int
    url: str
    spec_id: str | None = None
    task_ref: str | None = None
    next_step: str | None = msgspec.field(default=None, name="next_step")


class DraftItem(Output):
    """decision: accepted, edited, rejected or left_out, once a person has decided. accepted_text: as they edited it.

    ref_code: the action that it became, or changes.
    """

    id: str
    field: str
    change: str
    text: str
    before: str = ""
    decision: str | None = None
    accepted_text: str | None = None
    ref_code: str | None = None


class SpecText(Output):
    """A spec as it is now, published or not."""

    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]


class PlanActionText(Output):
    ref_code: str
    label: str
    state: str
    description: str
    area: str
    criteria: list[str]
    prerequisites: list[str]
    paths: list[str]


class OpenDraft(Output):
    pid: str
    kind: str
    title: str


class Draft(Truncatable, kw_only=True):
    """Of a draft: everything but spec to open_drafts. With spec_id: only those, the texts that a draft can change."""

    pid: str | None = None
    kind: str | None = None
    state: str | None = None
    version: int | None = None
    title: str | None = None
    project_id: str | None = None
    spec_id: str | None = None
    newer_version: str | None = None
    next_step: str = msgspec.field(name="next_step")
    remark: str = ""
    decided_by: str | None = None
    items: list[DraftItem] = []
    spec: SpecText | None = None
    open_drafts: list[OpenDraft] = []
    approach: str | None = None
    actions: list[PlanActionText] = []
    news: list[NewsItem] = []


class ProposalRow(Output):
    """An open proposal, in a list."""

    pid: str
    kind: str
    title: str
    version: int
    items: int
    who: Who
    created_at: str
    spec_id: str | None = None


def proposal_url(call: Call, proposal_id: str) -> str:
    return f"{call.installation.public_url}/proposals/{proposal_id}"


def draft_saved(call: Call, proposal: Proposal) -> DraftSaved:
    refs = actions.ref_code_by_id(call.tx, [proposal.action_id]) if proposal.action_id else {}
    url = proposal_url(call, proposal.id)
    return DraftSaved(
        pid=proposal.id,
        kind=proposal.kind,
        state=proposal.state,
        version=proposal.version,
        title=proposal.title,
        items=len(to_decide(items_of(proposal))),
        url=url,
        spec_id=proposal.spec_id,
        task_ref=refs.get(proposal.action_id or ""),
        next_step=f"Nothing is changed yet: a person accepts it at {url}. Tell your user. news brings the decision, "
        "and get_draft shows it.",
    )


def draft_item(item: ProposedItem, decision: Decision | None, ref: str | None) -> DraftItem:
    return DraftItem(
        id=item.id,
        field=item.field,
        change=item.change,
        text=item.text if item.change != "removed" else "",
        before=item.before if item.change in ("changed", "removed") else "",
        decision=decision.state if decision else None,
        accepted_text=decision.text if decision and decision.state == "edited" else None,
        ref_code=(decision.ref if decision else "") or ref,
    )


def authors_of(call: Call, proposals: list[Proposal]) -> dict[str, Who]:
    """By the id of the proposal: who drafted it."""
    authors = Authors(call, (proposal.author_id for proposal in proposals))
    labels = agent_sessions.labels_by_id(call.tx, (proposal.session_id for proposal in proposals))
    return {
        proposal.id: Who(
            name=authors.names.get(proposal.author_id, ""),
            kind="person",
            user_id=proposal.author_id,
            agent_model=proposal.agent_model,
            agent=labels.get(proposal.session_id or ""),
        )
        for proposal in proposals
    }


def proposal_rows(call: Call, proposals: list[Proposal]) -> list[ProposalRow]:
    authors = authors_of(call, proposals)
    return [
        ProposalRow(
            pid=proposal.id,
            kind=proposal.kind,
            title=proposal.title,
            version=proposal.version,
            items=len(to_decide(items_of(proposal))),
            who=authors[proposal.id],
            created_at=to_iso(proposal.created_at),
            spec_id=proposal.spec_id,
        )
        for proposal in proposals
    ]


NEXT_STEPS = {
    ProposalState.OPEN: "It waits for a person. To improve it, send it again with draft_id.",
    ProposalState.ACCEPTED: "It is accepted. Agents build it once a person publishes the spec with its plan.",
    ProposalState.PARTLY_ACCEPTED: "A part is accepted. Send what should be tried again as a new draft.",
    ProposalState.REJECTED: "It is rejected: read remark. Send an improved one with draft_id.",
    ProposalState.SUPERSEDED: "A newer version replaced it.",
}
