"""Mentions: `@` and a name, in a comment. What stands in code is none, and neither is an address."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pendesk.domain.assignee import Assignable

# Fenced code to its end, or to that of the text; then code within a line.
_CODE = re.compile(r"(?m)^(`{3,}|~{3,})[^\n]*(?:\n(?!\1)[^\n]*)*(?:\n\1[^\n]*)?|`[^`\n]*`")
_MARKDOWN_SIGN = re.compile(r"([\\`*_\[\]<>~|])")


class MentionSpan(NamedTuple):
    """From the `@` on; `mentioned` is None where several are called that."""

    start: int
    end: int
    name: str
    mentioned: Assignable | None


def told_apart_name(someone: Assignable) -> str:
    """For where several have the name: an agent by whose it is."""
    return f"{someone.name} ({someone.owner or someone.kind})"


def mentionable_by_written_name(known: Iterable[Assignable]) -> dict[str, Assignable | None]:
    """By what is written after the `@`, in lower case: the name, alone or told apart. None where that is several's."""
    everybody = list(known)
    written = [(name.lower(), someone) for someone in everybody for name in (someone.name, told_apart_name(someone))]
    shared = Counter(name for name, _ in written)
    return {name: someone if shared[name] == 1 else None for name, someone in written}


def find_mentions(text: str, by_written_name: Mapping[str, Assignable | None]) -> list[MentionSpan]:
    """In their order; of names that begin alike the longest."""
    lengths = sorted({len(name) for name in by_written_name}, reverse=True)
    lowered = _lower_keeping_length(_CODE.sub(lambda code: " " * len(code[0]), text))
    spans: list[MentionSpan] = []
    at = lowered.find("@")
    while at >= 0:
        span = None if _is_inside_word(text, at) else _match(lowered, text, at, lengths, by_written_name)
        if span is not None:
            spans.append(span)
        at = lowered.find("@", span.end if span else at + 1)
    return spans


def _match(
    lowered: str, text: str, at: int, lengths: list[int], by_written_name: Mapping[str, Assignable | None]
) -> MentionSpan | None:
    for length in lengths:
        end = at + 1 + length
        written = lowered[at + 1 : end]
        if len(written) == length and written in by_written_name and not text[end : end + 1].isalnum():
            return MentionSpan(at, end, text[at + 1 : end], by_written_name[written])
    return None


def _is_inside_word(text: str, at: int) -> bool:
    """As in an address."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in "._%+-@/")


def _lower_keeping_length(text: str) -> str:
    """Some letters become two in lower case; those stay."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(letter if len(small := letter.lower()) > 1 else small for letter in text)


def emphasize_mentions(text: str, names: Collection[str]) -> str:
    """Markdown in which the mentions by these names stand out."""
    parts: list[str] = []
    end = 0
    for span in find_mentions(text, {name.lower(): None for name in names}) if names else []:
        name = _MARKDOWN_SIGN.sub(r"\\\1", span.name)
        parts += [text[end : span.start], f"**@{name}**"]
        end = span.end
    return "".join([*parts, text[end:]])


def unreached_because(span: MentionSpan, *, has_token: bool, may_see: bool) -> str | None:
    """Why a mention reaches nobody; None where it does. `may_see`: what is commented on."""
    if span.mentioned is None:
        return f"Several are called {span.name}, so @{span.name} reaches nobody: choose one of those offered after @."
    if not has_token:
        return f"@{span.name} reaches nobody: the agent has no token that works."
    if not may_see:
        return f"@{span.name} reaches nobody: {span.mentioned.owner or 'it'} does not take part in the spec."
    return None
