"""A plan as an agent drafts it: everything that is wrong with it, all at once, and the items that people decide about.

An action of the draft has a key. A key that is the ref code of an action in the plan changes that one; fields that are
left out stay as they are.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from pendesk.domain.edge import find_cycle_closed_by_edge
from pendesk.domain.plan_errors import Fault
from pendesk.domain.proposal import PREREQUISITE, ProposedItem, list_items, text_item
from pendesk.domain.word_diff import StepBudget

_REF = re.compile(r"[A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,9}\Z")


class ActionDraft(NamedTuple):
    """None: left out. What is broken in itself is None as well, and is reported elsewhere."""

    key: str | None
    label: str | None = None
    description: str | None = None
    area: str | None = None
    criteria: list[str] | None = None
    prerequisites: tuple[str, ...] = ()
    paths: list[str] | None = None


class PresentAction(NamedTuple):
    """An action of the plan as it is now. criterion_ids are in the order of criteria."""

    id: str
    label: str
    description: str
    area: str
    paths: list[str]
    criteria: list[str]
    criterion_ids: list[str]


class PlanContext(NamedTuple):
    """What a draft may refer to. project_key: what refs begin with; empty where it is not known. in_plan: the actions
    of the plan, by ref code. id_by_ref: of other actions in the project that are named. successors: what comes after
    an action by now.
    """

    project_key: str
    in_plan: Mapping[str, PresentAction]
    id_by_ref: Mapping[str, str]
    successors: Callable[[str], list[str]]


def is_ref(text: str, project_key: str) -> bool:
    """Of an action of the project. A key such as step-1 is none."""
    return _REF.match(text) is not None and text.upper().startswith(f"{project_key}-" if project_key else "")


def find_faults_without_context(actions: list[ActionDraft]) -> list[Fault]:
    """What the draft itself shows; with the refs it names taken for good."""
    refs = {
        name.upper() for action in actions for name in (action.key or "", *action.prerequisites) if is_ref(name, "")
    }
    known = {ref: PresentAction(ref, "", "", "", [], [], []) for ref in refs}
    return find_draft_faults(actions, PlanContext("", known, {}, lambda _action_id: []))


def find_draft_faults(actions: list[ActionDraft], context: PlanContext) -> list[Fault]:
    return [
        *_key_faults(actions, context),
        *_text_faults(actions, context),
        *_prerequisite_faults(actions, context),
    ]


def _key_faults(actions: list[ActionDraft], context: PlanContext) -> list[Fault]:
    faults, seen = [], set()
    for index, action in enumerate(actions):
        if action.key is None:
            continue
        key = _normalize(action.key, context)
        if key in seen:
            faults.append(Fault(f"actions[{index}].key", f"{action.key[:40]!r} is used twice; give each its own."))
        if is_ref(action.key, context.project_key) and key not in context.in_plan:
            problem = f"{action.key} is no action of this spec's active plan; a new one gets a key such as login."
            faults.append(Fault(f"actions[{index}].key", problem))
        seen.add(key)
    return faults


def _text_faults(actions: list[ActionDraft], context: PlanContext) -> list[Fault]:
    faults = []
    for index, action in enumerate(actions):
        if action.key is None:
            continue
        if not is_ref(action.key, context.project_key) and action.label is None:
            faults.append(Fault(f"actions[{index}].label", "is required for a new action."))
        if action.criteria == [] or (action.criteria is None and not is_ref(action.key, context.project_key)):
            problem = "is empty; give at least one sentence that a test or a person can check."
            faults.append(Fault(f"actions[{index}].criteria", problem))
    return faults


def _prerequisite_faults(actions: list[ActionDraft], context: PlanContext) -> list[Fault]:
    """Edge by edge, as if they were drawn one after the other: the fault lies with the one that closes a cycle."""
    faults: list[Fault] = []
    nodes = {
        _normalize(action.key, context): _node(action.key, context) for action in actions if action.key is not None
    }
    successors: dict[str, list[str]] = {}
    for index, action in enumerate(actions):
        for place, name in enumerate(action.prerequisites):
            field = f"actions[{index}].prerequisites[{place}]"
            first = nodes.get(_normalize(name, context)) or _known_ref(name, context)
            if first is None:
                problem = f"{name[:40]!r} is neither a key of this draft nor the ref code of an action of the project."
                faults.append(Fault(field, problem))
            elif action.key is not None:
                faults += _edge_faults(field, first, nodes[_normalize(action.key, context)], successors, context)
    return faults


def _edge_faults(
    field: str, first: str, later: str, successors: dict[str, list[str]], context: PlanContext
) -> list[Fault]:
    if first == later:
        return [Fault(field, "an action cannot be its own prerequisite.")]
    cycle = find_cycle_closed_by_edge(first, later, lambda node: [*successors.get(node, []), *context.successors(node)])
    if cycle is None:
        successors.setdefault(first, []).append(later)
        return []
    names = {action.id: ref for ref, action in context.in_plan.items()}
    names |= {action_id: ref for ref, action_id in context.id_by_ref.items()}
    path = " -> ".join(names.get(node, node).removeprefix("key ")[:40] for node in cycle[:10])
    return [Fault(field, f"closes a cycle: {path}; leave one of them out.")]


def plan_items(
    approach_before: str, approach: str | None, actions: list[ActionDraft], context: PlanContext
) -> list[ProposedItem]:
    """For a draft without faults."""
    items = text_item("approach", approach_before, approach)
    item_ids = {_normalize(action.key or "", context): f"a{number}" for number, action in enumerate(actions, 1)}
    labels = {_normalize(action.key or "", context): action.label or "" for action in actions}
    budget = StepBudget()
    for action in actions:
        key = _normalize(action.key or "", context)
        present = context.in_plan.get(key)
        items += _action_items(item_ids[key], key, action, present, budget)
        for place, name in enumerate(dict.fromkeys(_normalize(name, context) for name in action.prerequisites), 1):
            in_draft = name in item_ids and name not in context.in_plan
            target = item_ids[name] if in_draft else _known_ref(name, context) or ""
            text = labels[name] if in_draft else name
            item_id = f"{item_ids[key]}.{PREREQUISITE}.{place}"
            items.append(ProposedItem(item_id, PREREQUISITE, "added", "", text, item_ids[key], target))
    return items


def _action_items(
    item_id: str, key: str, draft: ActionDraft, present: PresentAction | None, budget: StepBudget
) -> Iterable[ProposedItem]:
    if present is None:
        yield ProposedItem(item_id, "action", "added", "", draft.label or "")
    else:
        yield ProposedItem(item_id, "action", "same", present.label, f"{key} {present.label}", "", present.id)
        yield from text_item("label", present.label, draft.label, item_id)
    yield from text_item("description", present.description if present else "", draft.description, item_id)
    yield from text_item("area", present.area if present else "", draft.area, item_id)
    paths = None if draft.paths is None else "\n".join(draft.paths)
    yield from text_item("paths", "\n".join(present.paths) if present else "", paths, item_id)
    if draft.criteria is not None:
        ids = dict(zip(present.criteria, present.criterion_ids, strict=True)) if present else {}
        for item in list_items("criteria", present.criteria if present else [], draft.criteria, budget, item_id):
            yield item._replace(target=ids.get(item.before, ""))


def _normalize(key: str, context: PlanContext) -> str:
    return key.upper() if is_ref(key, context.project_key) else key


def _node(key: str, context: PlanContext) -> str:
    present = context.in_plan.get(_normalize(key, context))
    return present.id if present else f"key {key}"


def _known_ref(name: str, context: PlanContext) -> str | None:
    ref = _normalize(name, context)
    return context.in_plan[ref].id if ref in context.in_plan else context.id_by_ref.get(ref)
