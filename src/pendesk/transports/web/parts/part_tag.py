"""The tag of a part of a page: for whom and as of when it was read. It belongs to the part's address, as any ETag does.

By it the server knows what the reader has on the screen, before it reads anything: nothing new, what has changed since,
or all of it. Nobody is let in by a tag: whoever makes one up gets what they may read, only less of it.
"""

import hashlib
import re
from typing import NamedTuple, Self

from pendesk import __version__
from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Actor
from pendesk.transports.web.parts.assets import asset_url_path

AGES_AFTER_US = 15 * MICROSECONDS
# So long may a part be put together from changes: then it is read whole, whatever the changes said.
WHOLE_AFTER_US = 300 * MICROSECONDS
_TAG = re.compile(r"([0-9a-f]{16})-([0-9]{1,16})-([0-9]{1,16})-([0-9]{1,16})-([0-9a-f]{1,32})", re.ASCII)


class KnownState(NamedTuple):
    """What the reader has on the screen already: as of which event, and of which moment in microseconds."""

    seq: int
    read_at: int


class PartTag(NamedTuple):
    """`scope`: for whom, in which version of the program. `activity`: what agent sessions did until then, which is
    in no log. Times in microseconds; `whole_at` is when the part was last read whole.
    """

    scope: str
    seq: int
    read_at: int
    whole_at: int
    activity: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        match = _TAG.fullmatch(text)
        return cls(match[1], int(match[2]), int(match[3]), int(match[4]), match[5]) if match else None

    def __str__(self) -> str:
        return "-".join(map(str, self))

    def is_unchanged_since(self, known: Self) -> bool:
        """Nothing has happened, and it has not aged."""
        return known._replace(read_at=self.read_at, whole_at=self.whole_at) == self and self._is_within(
            known.read_at, AGES_AFTER_US
        )

    def changes_since(self, known: Self) -> KnownState | None:
        """From where on to say what has changed; None where all of it is to be read."""
        is_same_part = known.scope == self.scope and known.seq <= self.seq
        recent = self._is_within(known.whole_at, WHOLE_AFTER_US) and known.read_at <= self.read_at
        return KnownState(known.seq, known.read_at) if is_same_part and recent else None

    def _is_within(self, moment: int, length: int) -> bool:
        return self.read_at - length < moment <= self.read_at


def scope_of_reader(actor: Actor) -> str:
    """What is shown at an address depends on the reader and their role, and on the program."""
    names = (actor.workspace_id, actor.user_id, actor.role.label, __version__, asset_url_path("pendesk.js"))
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
