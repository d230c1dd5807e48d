"""A proposal: a spec or a plan that an agent drafted. Nothing of it is in the spec until a person accepts it.

The tools call it a draft. It is a list of items, each of which a person accepts, edits or leaves out. The texts it was
drafted against are part of it (`before`), so what changed meanwhile can be shown and nothing is overwritten unseen.
"""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from pendesk.domain.comparison import compare_lists
from pendesk.domain.errors import BadField, RevisionConflict, RuleBroken
from pendesk.domain.limits import PROPOSAL_CHARS, PROPOSAL_ITEMS
from pendesk.domain.word_diff import StepBudget

ProposalKind = Literal["spec", "plan"]
Change = Literal["same", "added", "changed", "removed"]
LISTS = ("results", "conditions", "boundaries")
# References to other actions: accepted or not, but not a text to edit.
PREREQUISITE = "prerequisites"


class ProposalState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    PARTLY_ACCEPTED = "partly_accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class Proposal(NamedTuple):
    """items and decisions are JSON; plan_id and base_revision say what it was drafted against (0: nothing)."""

    id: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    action_id: str | None
    kind: ProposalKind
    title: str
    base_revision: int
    version: int
    previous_id: str | None
    items: str
    state: ProposalState
    author_id: str
    session_id: str | None
    client_name: str
    agent_model: str | None
    created_at: int
    decided_by: str | None = None
    decided_at: int | None = None
    remark: str = ""
    decisions: str = "{}"


class ProposedItem(NamedTuple):
    """One line of a proposal. What is the `same` is there for its place, and is not decided about.

    parent: the item of the action it belongs to. target: the action, or criterion, that it changes; of a prerequisite,
    the item or the action that comes first.
    """

    id: str
    field: str
    change: Change
    before: str
    text: str
    parent: str = ""
    target: str = ""


class Decision(NamedTuple):
    """state: accepted, edited, rejected or left_out. text: as it was accepted. ref: the action that it became."""

    state: str
    text: str = ""
    ref: str = ""


def items_of(proposal: Proposal) -> list[ProposedItem]:
    return [ProposedItem(**item) for item in json.loads(proposal.items)]


def items_to_json(items: Iterable[ProposedItem]) -> str:
    return json.dumps([item._asdict() for item in items], ensure_ascii=False)


def decisions_of(proposal: Proposal) -> dict[str, Decision]:
    return {item_id: Decision(**decision) for item_id, decision in json.loads(proposal.decisions).items()}


def decisions_to_json(decisions: Mapping[str, Decision]) -> str:
    return json.dumps({item_id: decision._asdict() for item_id, decision in decisions.items()}, ensure_ascii=False)


def to_decide(items: Iterable[ProposedItem]) -> list[ProposedItem]:
    return [item for item in items if item.change != "same"]


def spec_items(before: Mapping[str, Any], proposed: Mapping[str, Any]) -> list[ProposedItem]:
    """`before` is empty for a new spec; a field that is not proposed stays as it is."""
    items = []
    for field in ("title", "summary"):
        items += text_item(field, before.get(field, ""), proposed.get(field))
    budget = StepBudget()
    for field in LISTS:
        if proposed.get(field) is not None:
            items += list_items(field, before.get(field, []), proposed[field], budget)
    return items


def text_item(
    field: str, before: str, text: str | None, parent: str = "", target: str = "", is_new: bool = False
) -> list[ProposedItem]:
    """None or one: a text that stays as it is needs no decision."""
    if text is None or text == before:
        return []
    change: Change = "added" if is_new or not before else "changed"
    item_id = f"{parent}.{field}" if parent else field
    return [ProposedItem(item_id, field, change, before, text, parent, target)]


def list_items(
    field: str, before: list[str], proposed: list[str], budget: StepBudget, parent: str = ""
) -> list[ProposedItem]:
    """In the order of the list that is proposed; what would be removed stands where it was."""
    prefix = f"{parent}.{field}" if parent else field
    items = []
    for number, item in enumerate(compare_lists(before, proposed, budget), 1):
        old = "".join(part.text for part in item.parts if part.change != "added")
        new = "".join(part.text for part in item.parts if part.change != "removed")
        items.append(ProposedItem(f"{prefix}.{number}", field, item.change, old, new, parent))
    return items


def merge_list(present: list[str], items: Iterable[ProposedItem], accepted: Mapping[str, str]) -> list[str]:
    """The present list with what was accepted (item id -> its text). Lines are found by what they say, so that what
    people wrote since the proposal was drafted stays.
    """
    merged, place = list(present), 0
    for item in items:
        index = merged.index(item.before) if item.before in merged else None
        text = accepted.get(item.id)
        if item.change == "added" or index is None:
            if text is not None and item.change in ("added", "changed"):
                merged.insert(place, text)
                place += 1
        elif item.change == "removed" and text is not None:
            del merged[index]
            place = index
        else:
            merged[index] = text if text is not None else merged[index]
            place = index + 1
    return merged


def check_proposal_size(items: list[ProposedItem]) -> None:
    count, chars = len(items), sum(len(item.text) + len(item.before) for item in items)
    if count > PROPOSAL_ITEMS or chars > PROPOSAL_CHARS:
        raise RuleBroken(
            f"This draft has {count} items and {chars} characters with the texts it changes; {PROPOSAL_ITEMS} items "
            f"and {PROPOSAL_CHARS} characters are the limit. Split it into several drafts.",
            code="draft_too_large",
        )


def check_changes_something(items: list[ProposedItem]) -> None:
    if not to_decide(items):
        raise RuleBroken(
            "Nothing in this draft differs from the present text. Send what should change.", code="nothing_changes"
        )


def check_is_open(proposal: Proposal) -> None:
    if proposal.state != ProposalState.OPEN:
        raise RuleBroken(
            f"This draft is {proposal.state.replace('_', ' ')} already. Reload the page to see what was decided.",
            code="already_decided",
        )


def check_may_be_replaced(proposal: Proposal, kind: ProposalKind, is_newest: bool) -> None:
    if proposal.kind != kind:
        raise BadField("draft_id", f"is a draft of a {proposal.kind}, not of a {kind}; leave draft_id out.")
    if not is_newest:
        raise BadField("draft_id", "has a newer version; name that one, or leave draft_id out.")


def outdated_proposal_error(changed_by: str, present: Mapping[str, str]) -> RevisionConflict:
    """`present` are the texts that changed, by item id, as they are now."""
    return RevisionConflict(
        f"{changed_by} has changed the text since you looked at this proposal. Nothing was accepted. Compare the "
        "present text (in this answer) with the proposal, and decide again with the presentRev of get_proposal.",
        person_message=f"{changed_by} has changed the text since you opened this page. Nothing was accepted, and what "
        "you typed is still here. Reload the page to see the present text beside it.",
        code="proposal_outdated",
        present=dict(present),
    )


def parse_decisions(
    items: list[ProposedItem], accepted: Mapping[str, str | None], forced: Iterable[str] = ()
) -> dict[str, Decision]:
    """accepted: item id -> the text as the person edited it, None as it was proposed. What belongs to a new action is
    accepted only with it, and a prerequisite only with the action it names.
    """
    known = {item.id: item for item in to_decide(items)}
    for item_id in accepted:
        if item_id not in known:
            raise BadField("items", f"there is no item {item_id[:40]!r} to decide about; reload the page.")
    chosen = dict(accepted) | {item_id: accepted.get(item_id) for item_id in forced if accepted and item_id in known}
    return {item.id: _decision(item, known, chosen) for item in known.values()}


def _decision(item: ProposedItem, known: Mapping[str, ProposedItem], chosen: Mapping[str, str | None]) -> Decision:
    if item.id not in chosen or (item.parent in known and item.parent not in chosen):
        return Decision("rejected")
    if item.field == PREREQUISITE and item.target in known and item.target not in chosen:
        return Decision("left_out")
    text = chosen[item.id]
    if text is None or text == item.text or item.field == PREREQUISITE or item.change == "removed":
        return Decision("accepted", item.text)
    if not text.strip():
        raise BadField("items", f"the text of {item.id} is blank; leave the item out instead.")
    return Decision("edited", text)


def state_after(decisions: Mapping[str, Decision]) -> ProposalState:
    accepted = sum(decision.state in ("accepted", "edited") for decision in decisions.values())
    if accepted == 0:
        return ProposalState.REJECTED
    return ProposalState.ACCEPTED if accepted == len(decisions) else ProposalState.PARTLY_ACCEPTED


def accepted_texts(decisions: Mapping[str, Decision]) -> dict[str, str]:
    return {
        item_id: decision.text for item_id, decision in decisions.items() if decision.state in ("accepted", "edited")
    }
