"""What a proposal would change, as it is now: shown beside it, and compared with what a person saw."""

import hashlib
from typing import Any, NamedTuple

from pendesk.domain.project import Plan, Spec
from pendesk.domain.proposal import LISTS, Proposal, ProposedItem, items_of, outdated_proposal_error
from pendesk.operations.operation import Call
from pendesk.operations.revisions import revision_content
from pendesk.operations.revisions.find import NEWEST
from pendesk.store import actions, criteria, plans, revisions, specs
from pendesk.store.engine.json_text import to_json


class Present(NamedTuple):
    """rev: a hash of the revisions of all that the proposal changes. texts: by item id, of what it changes or removes;
    a line or an action that is gone is not in it.
    """

    rev: str
    texts: dict[str, str]
    spec: Spec | None
    plan: Plan | None
    newest_object_id: str | None


def load_present(call: Call, proposal: Proposal) -> Present:
    spec = specs.by_id(call.tx, proposal.spec_id) if proposal.spec_id else None
    if proposal.kind == "spec":
        return _present_spec(proposal, spec)
    plan = plans.by_id(call.tx, spec.active_plan_id) if spec and spec.active_plan_id else None
    return _present_plan(call, proposal, spec, plan)


def check_is_present_rev(call: Call, proposal: Proposal, present: Present, seen_rev: str | None) -> None:
    if seen_rev is None or seen_rev == present.rev:
        return
    newest = revisions.of_object(call.tx, present.newest_object_id, NEWEST, 1) if present.newest_object_id else []
    changed = {item.id: present.texts.get(item.id, "") for item in changed_items(proposal, present)}
    raise outdated_proposal_error(newest[0].author if newest else "Someone", changed)


def changed_items(proposal: Proposal, present: Present) -> list[ProposedItem]:
    """Those whose text is not any more what it was when the proposal was drafted."""
    return [
        item
        for item in items_of(proposal)
        if item.change in ("changed", "removed") and present.texts.get(item.id) != item.before
    ]


def _present_spec(proposal: Proposal, spec: Spec | None) -> Present:
    if spec is None:
        return Present(_hash("new"), {}, None, None, None)
    content = revision_content.spec_content(spec)
    texts = {item.id: text for item in items_of(proposal) if (text := _text_in(content, item)) is not None}
    return Present(_hash(spec.id, spec.revision), texts, spec, None, spec.id)


def _text_in(content: dict[str, Any], item: ProposedItem) -> str | None:
    if item.field in LISTS:
        return item.before if item.before in content[item.field] else None
    text: str = content[item.field]
    return text


def _present_plan(call: Call, proposal: Proposal, spec: Spec | None, plan: Plan | None) -> Present:
    texts = {"approach": plan.approach} if plan else {}
    revision_of: list[object] = [plan.id, plan.revision] if plan else []
    items = items_of(proposal)
    for head in items:
        if head.field == "action" and head.target:
            facts = actions.facts(call.tx, head.target)
            if facts is None:
                continue
            revision_of += [head.target, facts.action.revision]
            content = revision_content.action_content(facts.action, criteria.of_action(call.tx, head.target))
            texts |= _texts_of_action(content, [item for item in items if item.parent == head.id])
            texts[head.id] = facts.action.label
    return Present(_hash(*revision_of), texts, spec, plan, plan.id if plan else None)


def _texts_of_action(content: dict[str, Any], items: list[ProposedItem]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for item in items:
        if item.field == "criteria":
            if any(criterion["text"] == item.before for criterion in content["action.criteria"]):
                texts[item.id] = item.before
        elif item.field == "paths":
            texts[item.id] = "\n".join(content["action.paths"])
        elif f"action.{item.field}" in content:
            texts[item.id] = content[f"action.{item.field}"]
    return texts


def _hash(*values: object) -> str:
    return hashlib.sha256(to_json([str(value) for value in values]).encode()).hexdigest()[:12]
