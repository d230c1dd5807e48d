"""What changed between two texts, as operations tell it."""

from pendesk.domain.comparison import ChangedField
from pendesk.domain.word_diff import Part
from pendesk.operations.operation import Output


class DiffPart(Output):
    """change: same, removed or added."""

    change: str
    text: str


class DiffItem(Output):
    """change: same, removed, added or changed."""

    change: str
    parts: list[DiffPart]


class FieldDiff(Output):
    """One field that differs: parts of a text, or items of a list. Same and removed parts make up the old text."""

    field: str
    parts: list[DiffPart] = []
    items: list[DiffItem] = []


def to_field_diffs(fields: list[ChangedField]) -> list[FieldDiff]:
    return [
        FieldDiff(
            field=field.name,
            parts=_to_diff_parts(field.parts),
            items=[DiffItem(change=item.change, parts=_to_diff_parts(item.parts)) for item in field.items],
        )
        for field in fields
    ]


def _to_diff_parts(parts: list[Part]) -> list[DiffPart]:
    return [DiffPart(change=part.change, text=part.text) for part in parts]
