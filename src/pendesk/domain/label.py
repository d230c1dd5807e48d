"""The labels of an action: short names that people and agents file it under."""

import re
from collections.abc import Iterable

from pendesk.domain.errors import BadField
from pendesk.domain.limits import ACTION_LABELS, LABEL_NAME_CHARS

# A label is looked for in the JSON that holds them, and lists of them are typed with commas.
_FORBIDDEN = re.compile(r'["\\\x00-\x1f\x7f]')


def normalize_labels(names: Iterable[str]) -> list[str]:
    """In lower case, so that Bug and bug are one; sorted, so that the same labels are the same text."""
    labels = sorted({" ".join(name.lower().split()) for text in names for name in text.split(",")} - {""})
    for label in labels:
        if _FORBIDDEN.search(label):
            raise BadField("labels", f'"{label}" cannot be a label: leave out quotes and backslashes.')
        if len(label) > LABEL_NAME_CHARS:
            raise BadField(
                "labels", f'"{label[:20]}..." is too long: a label has at most {LABEL_NAME_CHARS} characters.'
            )
    if len(labels) > ACTION_LABELS:
        raise BadField("labels", f"{len(labels)} labels are too many: an action has at most {ACTION_LABELS}.")
    return labels


def acceptable_labels(names: Iterable[str]) -> list[str]:
    """Of names from elsewhere, what can be a label here; the rest is left out."""
    short = [_FORBIDDEN.sub(" ", name)[:LABEL_NAME_CHARS].rstrip() for name in names]
    return normalize_labels(sorted({name.replace(",", " ") for name in short})[:ACTION_LABELS])
