"""Two states of a record, field by field: texts by word, lists by item and then by word."""

from typing import Any, Literal, NamedTuple

from pendesk.domain.limits import DIFF_ITEMS, DIFF_LINE_STEPS
from pendesk.domain.word_diff import Part, StepBudget, diff_blocks, word_diff

ItemChange = Literal["same", "removed", "added", "changed"]
# As much of an item must be left as it was, for it to be the same one said differently.
ALIKE = 0.4


class ComparedItem(NamedTuple):
    change: ItemChange
    parts: list[Part]


class ChangedField(NamedTuple):
    """One field that differs: `parts` of a text, or `items` of a list."""

    name: str
    parts: list[Part]
    items: list[ComparedItem]


def compare_fields(
    before: dict[str, Any], after: dict[str, Any], budget: StepBudget | None = None
) -> list[ChangedField]:
    """In the order in which `after` tells its fields, then what it no longer has."""
    budget = budget or StepBudget()
    names = [*after, *(name for name in before if name not in after)]
    changed = [name for name in names if before.get(name) != after.get(name)]
    return [_compare_field(name, before.get(name), after.get(name), budget) for name in changed]


def _compare_field(name: str, old: Any, new: Any, budget: StepBudget) -> ChangedField:
    if isinstance(old, list) or isinstance(new, list):
        return ChangedField(name, [], compare_lists((old or [])[:DIFF_ITEMS], (new or [])[:DIFF_ITEMS], budget))
    return ChangedField(name, word_diff(_display_text(old), _display_text(new), budget), [])


def compare_lists(old: list[Any], new: list[Any], budget: StepBudget | None = None) -> list[ComparedItem]:
    """Items that carry an id are the same item wherever their ids are; others are compared by what they say."""
    budget = budget or StepBudget()
    before, after = [_display_text(item) for item in old], [_display_text(item) for item in new]
    same = {_item_id_or_empty(item): text for item, text in zip(old, before, strict=True) if _item_id_or_empty(item)}
    items: list[ComparedItem] = []
    for block in diff_blocks(
        [_item_id_or_text(item) for item in old], [_item_id_or_text(item) for item in new], DIFF_LINE_STEPS, budget
    ):
        if block.same:
            pairs = zip(before[block.a0 : block.a1], after[block.b0 : block.b1], strict=True)
            items += [_compare_item(old_text, new_text, budget) for old_text, new_text in pairs]
        elif same:
            items += [ComparedItem("removed", [Part("removed", text)]) for text in before[block.a0 : block.a1]]
            items += [ComparedItem("added", [Part("added", text)]) for text in after[block.b0 : block.b1]]
        else:
            items += _compare_pairs_at_same_position(before[block.a0 : block.a1], after[block.b0 : block.b1], budget)
    return items


def _compare_pairs_at_same_position(old: list[str], new: list[str], budget: StepBudget) -> list[ComparedItem]:
    """What stands at the same place and is much alike was said differently; the rest went or came."""
    items: list[ComparedItem] = []
    for old_text, new_text in zip(old, new, strict=False):
        item = _compare_item(old_text, new_text, budget)
        if _is_mostly_unchanged(item, old_text, new_text):
            items.append(item)
        else:
            items += [
                ComparedItem("removed", [Part("removed", old_text)]),
                ComparedItem("added", [Part("added", new_text)]),
            ]
    items += [ComparedItem("removed", [Part("removed", text)]) for text in old[len(new) :]]
    return items + [ComparedItem("added", [Part("added", text)]) for text in new[len(old) :]]


def _compare_item(old: str, new: str, budget: StepBudget) -> ComparedItem:
    return ComparedItem("same" if old == new else "changed", word_diff(old, new, budget))


def _is_mostly_unchanged(item: ComparedItem, old: str, new: str) -> bool:
    same_chars = sum(len(part.text) for part in item.parts if part.change == "same")
    return same_chars >= ALIKE * max(len(old), len(new))


def _item_id_or_empty(item: Any) -> str:
    return str(item.get("id", "")) if isinstance(item, dict) else ""


def _item_id_or_text(item: Any) -> str:
    return _item_id_or_empty(item) or _display_text(item)


def _display_text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("text") or value.get("name") or "")
    return "" if value is None else str(value)
