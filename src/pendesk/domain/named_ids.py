"""Ids in a refusal: nobody knows them by heart, so each stands with the first words of its text."""

from collections.abc import Iterable
from itertools import islice

from pendesk.domain.limits import IDS_NAMED, TEXT_NAMED_CHARS


def list_ids_with_texts(texts: Iterable[tuple[str, str]]) -> str:
    listed = [f"{item_id} ({shorten(text)})" for item_id, text in islice(texts, IDS_NAMED + 1)]
    return ", ".join(listed[:IDS_NAMED]) + (" and more" if len(listed) > IDS_NAMED else "")


def shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TEXT_NAMED_CHARS else f"{line[: TEXT_NAMED_CHARS - 1]}…"
