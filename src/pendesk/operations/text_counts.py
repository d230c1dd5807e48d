"""What each account has written that the database does not know of yet.

Counted in the transaction of each write, the agents of one account would wait for each other's commits. So a process
counts in memory, and the next write saves it once there is much: a crash forgets little, and so much is written beyond
a quota at most by each process.
"""

import asyncio
from collections.abc import Awaitable, Callable

from pendesk.domain.access import NO_USER, Actor
from pendesk.domain.limits import UNSAVED_TEXT_BYTES
from pendesk.domain.text_quota import NEVER_REFUSED
from pendesk.operations.housekeeping.count_text import CountedText, CountText

ACCOUNTS_REMEMBERED = 10_000

SaveCount = Callable[[CountText], Awaitable[CountedText]]


class _Count:
    __slots__ = ("is_refused", "saving", "unsaved_bytes")

    def __init__(self) -> None:
        self.saving = asyncio.Lock()  # two who find much do not both save it
        self.unsaved_bytes = 0
        self.is_refused = False

    def is_due(self) -> bool:
        """Who was refused is looked at anew each time: the day may have turned."""
        return self.is_refused or self.unsaved_bytes >= UNSAVED_TEXT_BYTES


class TextCounts:
    def __init__(self, save: SaveCount) -> None:
        self._save = save
        self._by_account: dict[tuple[str, str, bool], _Count] = {}

    async def save_if_due_or_refuse(self, actor: Actor, operation_name: str) -> None:
        """Before a write: raises where the account, or its workspace, has written all it may."""
        count = self._by_account.get(_account_of(actor))
        if count is None or not count.is_due() or operation_name in NEVER_REFUSED:
            return
        async with count.saving:
            if count.is_due():
                await self._save_or_refuse(actor, count)

    async def _save_or_refuse(self, actor: Actor, count: _Count) -> None:
        written = count.unsaved_bytes
        refusal = (await self._save(CountText(actor, written))).refusal
        count.unsaved_bytes -= written  # more may have been added meanwhile
        count.is_refused = refusal is not None
        if refusal is not None:
            raise refusal

    def add(self, actor: Actor, text_bytes: int) -> None:
        """After a write."""
        if actor.user_id == NO_USER:
            return
        key = _account_of(actor)
        count = self._by_account.get(key)
        if count is None:
            if len(self._by_account) >= ACCOUNTS_REMEMBERED:
                self._by_account.pop(next(iter(self._by_account)))
            count = self._by_account[key] = _Count()
        count.unsaved_bytes += text_bytes


def _account_of(actor: Actor) -> tuple[str, str, bool]:
    """What a person's tokens write is counted apart from what the person does."""
    return (actor.workspace_id, actor.user_id, actor.token_id is not None)
