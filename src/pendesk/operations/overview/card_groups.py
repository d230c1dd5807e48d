"""The groups that the cards of a board stand in: by spec, agent, person or label. Each card stands in one."""

from collections.abc import Collection
from typing import Literal

from pendesk.domain.agent_session import session_label
from pendesk.domain.limits import BOARD_GROUPS
from pendesk.operations.actions.action_fields import labels_of
from pendesk.operations.operation import Call, Output
from pendesk.store.card_groups import CardFacts, facts_of_cards

GroupBy = Literal["spec", "agent", "person", "label"]
Key = tuple[str, str]  # what it is by, and its name
_NONE: Key = ("", "")


class Group(Output):
    """cards: the pids of those that are shown. Without a key: the cards that belong to none."""

    key: str
    name: str
    cards: list[str]


def groups_of_cards(call: Call, group_by: GroupBy | None, action_ids: Collection[str]) -> list[Group] | None:
    """By name, those without last; beyond a number of them the others stand together."""
    if group_by is None:
        return None
    cards_by_key: dict[Key, list[str]] = {}
    for facts in facts_of_cards(call.tx, action_ids):
        cards_by_key.setdefault(_key_of(facts, group_by), []).append(facts.id)
    without = cards_by_key.pop(_NONE, [])
    keys = sorted(cards_by_key, key=lambda key: (key[1].casefold(), key))
    groups = [Group(key=key, name=name, cards=cards_by_key[key, name]) for key, name in keys[:BOARD_GROUPS]]
    others = [ident for key in keys[BOARD_GROUPS:] for ident in cards_by_key[key]]
    if others:
        groups.append(Group(key="others", name="Others", cards=others))
    return [*groups, Group(key="", name="", cards=without)] if without else groups


def _key_of(facts: CardFacts, group_by: GroupBy) -> Key:
    match group_by:
        case "spec":
            return (facts.spec_id, facts.spec_title or "") if facts.spec_id else _NONE
        case "agent":
            return _agent_of(facts)
        case "person":
            return _person_of(facts)
        case "label":
            labels = labels_of(facts.labels)
            return (labels[0], labels[0]) if labels else _NONE


def _agent_of(facts: CardFacts) -> Key:
    """The agent that has it, else the one that it is assigned to."""
    if facts.session_id and facts.agent_name:
        label = session_label(facts.agent_name, facts.session_number or 1, facts.session_name or "")
        return facts.session_id, label
    if facts.holder_id and facts.holder_kind == "agent":
        return facts.holder_id, facts.holder_name or ""
    if facts.assigned_agent_id:
        return facts.assigned_agent_id, facts.assigned_agent_name or ""
    if facts.assignee_id and facts.assignee_kind == "agent":
        return facts.assignee_id, facts.assignee_name or ""
    return _NONE


def _person_of(facts: CardFacts) -> Key:
    """The person that it is assigned to, else the one who has it, mostly by an agent."""
    if facts.assignee_id and facts.assignee_kind != "agent":
        return facts.assignee_id, facts.assignee_name or ""
    if facts.holder_id and facts.holder_kind != "agent":
        return facts.holder_id, facts.holder_name or ""
    return _NONE
