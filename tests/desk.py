"""A desk for tests: a store with a workspace and people in it, and the dispatcher to it.

Nothing here is a stand-in: the store is a real SQLite file or a real PostgreSQL database.
"""

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from pendesk.domain.access import ALL_SCOPES, Actor, Role, Scope
from pendesk.domain.limits import Limits
from pendesk.domain.people import Member, User, Workspace
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import Installation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store import people
from pendesk.store.files import Files

FILES = Files(Path(tempfile.mkdtemp(prefix="pendesk-test-files-")))
atexit.register(shutil.rmtree, FILES.folder, ignore_errors=True)
START = 1_800_000_000_000_000  # microseconds; any fixed moment
SECOND = 1_000_000
MINUTE = 60 * SECOND


class HandClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def forward(self, microseconds: int) -> None:
        self.now += microseconds


class TestDesk:
    __test__ = False

    def __init__(self, store: Store, clock: HandClock, limits: Limits | None = None) -> None:
        self.store = store
        self.clock = clock
        self.installation = Installation(limits or Limits(), b"a signing key for tests", "http://127.0.0.1:3847", FILES)
        self.dispatcher = Dispatcher(store, OPERATIONS, self.installation)
        self.workspace = new_id()

    async def open(self, name: str = "Test workspace") -> "TestDesk":
        workspace = Workspace(self.workspace, name, self.clock())
        await self.store.write(self.workspace, lambda tx: people.add_workspace(tx, workspace))
        return self

    async def person(
        self, name: str, role: Role = Role.MEMBER, scopes: frozenset[Scope] = ALL_SCOPES, kind: str = "person"
    ) -> Actor:
        """A new member of the workspace, as they call by the web app."""
        user_id = new_id()
        user = User(user_id, kind, f"{name.lower()}-{user_id}@example.com", name, None, self.clock())
        member = Member(user.id, role.label, self.clock(), None)

        def add(tx: Any) -> None:
            people.add_user(tx, user)
            people.add_member(tx, member)

        await self.store.write(self.workspace, add)
        return Actor(self.workspace, user.id, name, role, scopes, "web")

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        """Call through the dispatcher; the answer as a caller reads it, from its JSON."""
        answer = await self.dispatcher.call(actor, operation, arguments)
        read: dict[str, Any] = msgspec.json.decode(encode_json(answer))
        return read
