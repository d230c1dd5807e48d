"""Comments on documents, actions and specs, and who may change one.

A passage that is quoted keeps its place when the text around it moves, or says that it lost it.
"""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal, NamedTuple

from pendesk.domain.access import Role
from pendesk.domain.errors import Advice, RoleForbids, RuleBroken
from pendesk.domain.word_diff import common_prefix_and_suffix_lengths

_WORD = re.compile(r"\S+")


ThreadKind = Literal["document", "action", "spec"]


class Thread(NamedTuple):
    """All comments on one record."""

    kind: ThreadKind
    id: str


class Comment(NamedTuple):
    """On one of `document_id`, `action_id` and `spec_id`. `session_id`: of the agent that wrote it for its author.

    One that was deleted stays as a row without words.
    """

    id: str
    project_id: str
    document_id: str | None
    body: str
    passage: str | None
    passage_start: int | None
    passage_lost: int
    author_id: str
    created_at: int
    resolved_by: str | None
    resolved_at: int | None
    action_id: str | None = None
    spec_id: str | None = None
    session_id: str | None = None
    edited_at: int | None = None
    deleted_by: str | None = None
    deleted_at: int | None = None

    @property
    def thread(self) -> Thread:
        if self.action_id is not None:
            return Thread("action", self.action_id)
        if self.spec_id is not None:
            return Thread("spec", self.spec_id)
        assert self.document_id is not None
        return Thread("document", self.document_id)


class Span(NamedTuple):
    start: int
    end: int


class NearestSearch:
    """A text that is searched from some place both ways."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Python finds forwards in linear time, but backwards it can be made to compare every pair of characters.
        self._mirrored = text[::-1]

    def find_nearest_offset(self, needle: str, expected_offset: int) -> int | None:
        """Where the text begins, as near to `expected_offset` as there is one;
        the later of two that are equally near.
        """
        later = self.text.find(needle, expected_offset)
        last = len(self.text) - len(needle)
        mirrored = self._mirrored.find(needle[::-1], max(0, last - expected_offset))
        if mirrored < 0:
            return later if later >= 0 else None
        earlier = last - mirrored
        return earlier if later < 0 or expected_offset - earlier < later - expected_offset else later


class PassageFinder:
    """A document's text, to find passages in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._searched = NearestSearch(text)

    def find_nearest(self, passage: str, near_offset: int) -> Span | None:
        """The passage nearest to `near_offset`:
        as it stands, else with other blanks and line breaks between its words.
        """
        start = self._searched.find_nearest_offset(passage, near_offset)
        if start is not None:
            return Span(start, start + len(passage))
        return self._find_ignoring_whitespace(passage, near_offset)

    def _find_ignoring_whitespace(self, passage: str, expected_offset: int) -> Span | None:
        # By joining the words anew and not by a pattern with blanks in it: a pattern can be made to take for ever.
        joined, offsets, starts = self._joined_words_with_offset_map
        words = " ".join(_WORD.findall(passage))
        word = max(0, bisect_right(starts, expected_offset) - 1)
        start = joined.find_nearest_offset(words, offsets[word] if offsets else 0) if words else None
        if start is None:
            return None
        return Span(self._offset_in_original_text(start), self._offset_in_original_text(start + len(words) - 1) + 1)

    def _offset_in_original_text(self, offset_in_joined_words: int) -> int:
        """Where the character of the joined words stands in the text."""
        _, offsets, starts = self._joined_words_with_offset_map
        word = bisect_right(offsets, offset_in_joined_words) - 1
        return starts[word] + offset_in_joined_words - offsets[word]

    @cached_property
    def _joined_words_with_offset_map(self) -> tuple[NearestSearch, list[int], list[int]]:
        """The words joined by single blanks; where each begins there, and in the text."""
        words: list[str] = []
        offsets: list[int] = []
        starts: list[int] = []
        offset = 0
        for match in _WORD.finditer(self.text):
            words.append(match[0])
            offsets.append(offset)
            starts.append(match.start())
            offset += len(match[0]) + 1
        return NearestSearch(" ".join(words)), offsets, starts


class TextEdit:
    """A text before and after an edit: what is left of it at both ends has only moved."""

    def __init__(self, old: str, new: str) -> None:
        self.new = PassageFinder(new)
        self._old_chars = len(old)
        self._head, self._tail = common_prefix_and_suffix_lengths(old, new)

    def reanchor(self, comment: Comment) -> Comment:
        """The comment as it stands in the new text. One that lost its place finds it when its words come back."""
        if comment.passage is None or comment.passage_start is None:
            return comment
        near = self._map_offset(comment.passage_start)
        place = self.new.find_nearest(comment.passage, near)
        if place is None:
            return comment._replace(passage_start=near, passage_lost=1)
        words = self.new.text[place.start : place.end]
        return comment._replace(passage=words, passage_start=place.start, passage_lost=0)

    def _map_offset(self, old_offset: int) -> int:
        """Where that place is now. Inside what was rewritten nobody knows: as near as can be."""
        end = len(self.new.text) - self._tail
        if old_offset < self._head:
            return old_offset
        if old_offset >= self._old_chars - self._tail:
            return old_offset + len(self.new.text) - self._old_chars
        return min(old_offset, end)


def find_passage(text: str, passage: str) -> Span:
    """Where a new comment's passage stands; the first one, where it stands several times."""
    place = PassageFinder(text).find_nearest(passage, 0)
    if place is None:
        raise RuleBroken(
            "The document does not contain this passage. Leave passage out to comment on the whole document.",
            code="passage_not_found",
            advice=(Advice("Else quote its words as get_document gives them.", ("get_document",)),),
            person_message="The document no longer has this text. Select it again, or comment on the whole document.",
        )
    return place


def check_comment_is_unresolved(comment: Comment, resolved_by_name: str) -> None:
    if comment.resolved_at is not None:
        raise RuleBroken(
            f"{resolved_by_name or 'Someone'} has resolved this comment already; there is nothing left to do with it.",
            code="already_resolved",
        )


def may_edit_comment(comment: Comment, user_id: str) -> bool:
    """What they wrote with their own hands: the words of their agents stay as they are."""
    return comment.author_id == user_id and comment.session_id is None


def check_may_edit_comment(comment: Comment, user_id: str) -> None:
    if not may_edit_comment(comment, user_id):
        raise RoleForbids("This comment is another's, and only its author may edit it. Write a comment of your own.")


def may_delete_comment(comment: Comment, user_id: str, role: Role) -> bool:
    return comment.author_id == user_id or role >= Role.ADMIN


def check_may_delete_comment(comment: Comment, user_id: str, role: Role) -> None:
    if not may_delete_comment(comment, user_id, role):
        raise RoleForbids("This comment is another's. Its author or an admin may delete it; you may resolve it.")
