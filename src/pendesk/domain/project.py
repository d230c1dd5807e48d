"""Projects, goals, specs and plans: what people write."""

import re
from typing import Literal, NamedTuple

from pendesk.domain.errors import Advice, BadField, RuleBroken
from pendesk.domain.limits import LIST_ITEMS

ProjectState = Literal["draft", "active", "paused", "complete", "archived"]

PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
TEXT_TYPES = frozenset({"application/json", "application/xml", "application/x-ndjson"})
TEXT_ENDINGS = (".log", ".txt", ".out")
_WORD = re.compile(r"[A-Za-z0-9]+")
_KEY = re.compile(r"[A-Z][A-Z0-9]{1,9}\Z")


class Project(NamedTuple):
    id: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    last_ref: int
    revision: int
    created_by: str
    created_at: int
    updated_at: int
    require_evidence: int | None = None
    # 0: what agents do in it is not saved. None stands for 1.
    keeps_activity: int | None = None
    # 1: what touches files that are being worked on cannot be claimed.
    refuse_overlap: int | None = None

    @property
    def does_keep_activity(self) -> bool:
        return self.keeps_activity != 0

    @property
    def is_active(self) -> bool:
        return self.state == "active"


class Goal(NamedTuple):
    id: str
    project_id: str
    title: str
    description: str
    position: int
    revision: int
    created_by: str
    created_at: int
    updated_at: int


class Spec(NamedTuple):
    """results, conditions and boundaries are JSON lists of texts."""

    id: str
    project_id: str
    goal_id: str | None
    title: str
    summary: str
    results: str
    conditions: str
    boundaries: str
    active_plan_id: str | None
    build_id: str | None
    build_number: int
    revision: int
    created_by: str
    created_at: int
    updated_at: int
    # None only within an import; see text_ref.py.
    ref_number: int | None = None


class Plan(NamedTuple):
    id: str
    spec_id: str
    title: str
    approach: str
    revision: int
    created_by: str
    created_at: int
    updated_at: int


class Attachment(NamedTuple):
    """A file of a spec, of a document, or of a criterion, for which it is evidence."""

    id: str
    project_id: str
    spec_id: str | None
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    storage_key: str
    added_by: str
    added_at: int
    removed_at: int | None
    document_id: str | None = None
    criterion_id: str | None = None

    @property
    def is_picture(self) -> bool:
        """Of a type that a browser draws and never runs."""
        return self.media_type in PICTURE_TYPES

    @property
    def is_text(self) -> bool:
        return self.media_type.startswith("text/") or self.media_type in TEXT_TYPES or self.name.endswith(TEXT_ENDINGS)


class ReceivedFile(NamedTuple):
    """The bytes of an upload, stored under a key of their own."""

    key: str
    size_bytes: int
    sha256: str


def propose_project_key(name: str, existing_keys: set[str]) -> str:
    """A short key for ref codes: initials of several words, else the first letters; numbered where taken."""
    words = [word for word in _WORD.findall(name) if not word[0].isdigit()]
    initials = "".join(word[0] for word in words[:4])
    base = (initials if len(initials) >= 2 else "".join(words)[:3]).upper()
    base = base if len(base) >= 2 else "PRJ"
    key, number = base, 2
    while key in existing_keys:
        key, number = f"{base}{number}", number + 1
    return key


def parse_new_project_key(key: str, existing_keys: set[str]) -> str:
    key = key.strip().upper()
    if not _KEY.match(key):
        raise BadField("key", "give 2 to 10 letters or digits, the first a letter, e.g. PEN.")
    if key in existing_keys:
        raise RuleBroken(
            f"The key {key} belongs to another project. Choose another, or leave it out.", code="key_taken"
        )
    return key


def check_count_below_limit(
    count: int, limit: int, noun: str, next_step: str, with_tools: tuple[Advice, ...] = ()
) -> None:
    """Everything that people add to is bounded, so that what is read back whole stays small."""
    if count >= limit:
        raise RuleBroken(
            f"There are {count} {noun}, and {limit} is the limit.",
            code="too_many",
            advice=(*with_tools, Advice(next_step)),
            limit=limit,
        )


def check_is_permutation(field: str, current: list[str], new_order: list[str], noun: str) -> None:
    """A new order names each one once: else something would get lost that the caller has not seen."""
    if sorted(current) != sorted(new_order):
        missing = len(set(current) - set(new_order))
        raise BadField(
            field,
            f"name each of the {len(current)} {noun} once ({missing} missing, {len(new_order)} given); read them anew.",
        )


def check_spec_list_lengths(items_by_field: dict[str, list[str]]) -> None:
    """However a line gets into a spec, its lists stay readable."""
    for name, lines in items_by_field.items():
        if len(lines) > LIST_ITEMS:
            raise BadField(name, f"would have {len(lines)} items, and {LIST_ITEMS} is the limit; join or drop some.")
