"""Two states of a record, field by field: texts by word, lists by item and then by word."""

from typing import Any, Literal, NamedTuple

from pendesk.domain.limits import DIFF_ITEMS, DIFF_LINE_STEPS
from pendesk.domain.word_diff import Effort, Part, blocks, word_diff

ItemChange = Literal["same", "removed", "added", "changed"]
# As much of an item must be left as it was, for it to be the same one said differently.
ALIKE = 0.4


class Item(NamedTuple):
    change: ItemChange
    parts: list[Part]


class Field(NamedTuple):
    """One field that differs: `parts` of a text, or `items` of a list."""

    name: str
    parts: list[Part]
    items: list[Item]


def compare(before: dict[str, Any], after: dict[str, Any], effort: Effort | None = None) -> list[Field]:
    """In the order in which `after` tells its fields, then what it no longer has."""
    effort = effort or Effort()
    names = [*after, *(name for name in before if name not in after)]
    changed = [name for name in names if before.get(name) != after.get(name)]
    return [_field(name, before.get(name), after.get(name), effort) for name in changed]


def _field(name: str, old: Any, new: Any, effort: Effort) -> Field:
    if isinstance(old, list) or isinstance(new, list):
        return Field(name, [], compare_lists((old or [])[:DIFF_ITEMS], (new or [])[:DIFF_ITEMS], effort))
    return Field(name, word_diff(_text(old), _text(new), effort), [])


def compare_lists(old: list[Any], new: list[Any], effort: Effort | None = None) -> list[Item]:
    """Items that carry an id are the same item wherever their ids are; others are compared by what they say."""
    effort = effort or Effort()
    before, after = [_text(item) for item in old], [_text(item) for item in new]
    same = {_id(item): text for item, text in zip(old, before, strict=True) if _id(item)}
    items: list[Item] = []
    for block in blocks([_key(item) for item in old], [_key(item) for item in new], DIFF_LINE_STEPS, effort):
        if block.same:
            pairs = zip(before[block.a0 : block.a1], after[block.b0 : block.b1], strict=True)
            items += [_compare_item(old_text, new_text, effort) for old_text, new_text in pairs]
        elif same:
            items += [Item("removed", [Part("removed", text)]) for text in before[block.a0 : block.a1]]
            items += [Item("added", [Part("added", text)]) for text in after[block.b0 : block.b1]]
        else:
            items += _paired(before[block.a0 : block.a1], after[block.b0 : block.b1], effort)
    return items


def _paired(old: list[str], new: list[str], effort: Effort) -> list[Item]:
    """What stands at the same place and is much alike was said differently; the rest went or came."""
    items: list[Item] = []
    for old_text, new_text in zip(old, new, strict=False):
        item = _compare_item(old_text, new_text, effort)
        if _alike(item, old_text, new_text):
            items.append(item)
        else:
            items += [Item("removed", [Part("removed", old_text)]), Item("added", [Part("added", new_text)])]
    items += [Item("removed", [Part("removed", text)]) for text in old[len(new) :]]
    return items + [Item("added", [Part("added", text)]) for text in new[len(old) :]]


def _compare_item(old: str, new: str, effort: Effort) -> Item:
    return Item("same" if old == new else "changed", word_diff(old, new, effort))


def _alike(item: Item, old: str, new: str) -> bool:
    same_chars = sum(len(part.text) for part in item.parts if part.change == "same")
    return same_chars >= ALIKE * max(len(old), len(new))


def _id(item: Any) -> str:
    return str(item.get("id", "")) if isinstance(item, dict) else ""


def _key(item: Any) -> str:
    return _id(item) or _text(item)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("text") or value.get("name") or "")
    return "" if value is None else str(value)
