"""A mirror as JSON: what a guest's program reads, and what servers send to one another. Bounded in every part.

What is in it is decided in domain/mirror.py.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.mirror import ActionMirror, ProjectMirror

P = TypeVar("P", bound="Part")

Short = Annotated[str, Meta(max_length=limits.LABEL_CHARS)]
Ref = Annotated[str, Meta(max_length=limits.KEY_CHARS)]
Long = Annotated[str, Meta(max_length=limits.MIRROR_TEXT_CHARS)]
Many = Annotated[int, Meta(ge=0, le=limits.MIRROR_COUNT)]
Lines = Annotated[list[Long], Meta(max_length=limits.LIST_ITEMS)]
Word = Annotated[str, Meta(max_length=limits.AREA_CHARS)]


class Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename="camel"):
    """A part of a mirror."""


class ShownHeading(Part):
    title: Short
    text: Long


class ShownStep(Part, omit_defaults=True):
    """drop_accepted: dropped, and what came after it goes on; left out where not, as servers before it did."""

    ref: Ref
    label: Short
    area: Word
    status: Word
    spec: Short
    criteria_done: Many
    criteria_total: Many
    drop_accepted: bool = False


class ShownLink(Part):
    from_ref: Ref
    to_ref: Ref
    label: Word


class ShownPage(Part):
    title: Short
    status_line: Short
    body: Long


class ShownProject(Part):
    name: Short
    description: Long
    status: Word
    counts: Annotated[dict[Word, Many], Meta(max_length=limits.LIST_ITEMS)]
    goals: Annotated[list[ShownHeading], Meta(max_length=limits.PROJECT_GOALS)]
    specs: Annotated[list[ShownHeading], Meta(max_length=limits.MIRROR_SPECS)]
    actions: Annotated[list[ShownStep], Meta(max_length=limits.MIRROR_ACTIONS)]
    edges: Annotated[list[ShownLink], Meta(max_length=limits.MIRROR_EDGES)]
    documents: Annotated[list[ShownPage], Meta(max_length=limits.MIRROR_DOCUMENTS)]
    left_out: Many


class ShownCheck(Part):
    text: Long
    status: Word


class ShownSpec(Part):
    title: Short
    summary: Long
    results: Lines
    conditions: Lines
    boundaries: Lines


class ShownBefore(Part):
    ref: Ref
    label: Short
    status: Word


class ShownAction(Part):
    project: Short
    ref: Ref
    label: Short
    area: Word
    status: Word
    description: Long
    criteria: Annotated[list[ShownCheck], Meta(max_length=limits.ACTION_CRITERIA)]
    spec: ShownSpec | None
    approach: Long
    first: Annotated[list[ShownBefore], Meta(max_length=limits.ACTION_EDGES)]


def to_shown_project(mirror: ProjectMirror) -> ShownProject:
    return _convert_by_field_names(mirror, ShownProject)


def to_shown_action(mirror: ActionMirror) -> ShownAction:
    return _convert_by_field_names(mirror, ShownAction)


def _convert_by_field_names(mirror: Any, target_type: type[P]) -> P:
    """Field by field of the same name."""
    return msgspec.convert(mirror, target_type, from_attributes=True)
