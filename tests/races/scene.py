"""What the races are about: many people, published work, and a look at what is stored in the end."""

from functools import partial
from typing import Any

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.people import Member, User
from pendesk.ids import new_id
from pendesk.operations.dispatch import Store
from pendesk.store import events, participants, people
from tests.desk import TestDesk
from tests.races.crew import Crew
from tests.workbench import Work, published_spec

NUMBER_EVENTS = "SELECT number_events('0', NULL)"
EVENTS_PER_READ = 1_000


class Scene(TestDesk):
    """A workspace on the crew's database, whose clock is the crew's."""

    __test__ = False

    def __init__(self, crew: Crew, store: Store) -> None:
        super().__init__(store, crew.clock)
        self.crew = crew

    async def crowd(self, count: int) -> list[Actor]:
        """Many members in one go."""
        users = [User(new_id(), "agent", None, f"Agent {each}", None, self.clock()) for each in range(count)]

        def add(tx: Any) -> None:
            for user in users:
                people.add_user(tx, user)
                people.add_member(tx, Member(user.id, Role.MEMBER.label, self.clock(), None))

        await self.store.write(self.workspace, add)
        return [Actor(self.workspace, user.id, user.name, Role.MEMBER, ALL_SCOPES, "mcp") for user in users]

    async def work_for(self, crowd: list[Actor], *, actions: int = 1) -> Work:
        """Published work in which all of the crowd takes part, however many they are."""
        self.author = await self.person("Author")
        work = await published_spec(self, self.author, actions=actions)

        def join(tx: Any) -> None:
            for actor in crowd:
                participants.add(tx, work.spec_id, actor.user_id, self.author.user_id)

        await self.store.write(self.workspace, join)
        return work

    async def one(self, sql: str, **params: Any) -> Any:
        """The first column of a query's only row."""
        row = await self.store.read(self.workspace, lambda tx: tx.one(sql, **params))
        return row[0]

    async def rows(self, sql: str, **params: Any) -> list[Any]:
        found: list[Any] = await self.store.read(self.workspace, lambda tx: tx.all(sql, **params))
        return found

    async def count(self, table: str) -> int:
        number: int = await self.one(f"SELECT count(*) FROM {table} WHERE workspace_id = :workspace")
        return number

    async def log(self, action_id: str = "") -> list[Any]:
        """Everything, or what was done to one action."""
        if self.store.engine == "postgres":  # what other processes committed a moment ago
            await self.store.write("", lambda tx: tx.run(NUMBER_EVENTS))
        found: list[Any] = []
        while True:
            last = found[-1].seq if found else 0
            page = await self.store.read(
                self.workspace, partial(events.all_after_ignoring_visibility, seq=last, limit=EVENTS_PER_READ)
            )
            if not page:
                return [event for event in found if action_id in ("", event.action_id)]
            found += page

    async def kinds(self, action_id: str = "") -> list[str]:
        return [event.kind for event in await self.log(action_id)]


def dealt(crew: Crew, things: list[Any], *same: Any) -> list[tuple[Any, ...]]:
    """One part for each process: its share of the things, and what is the same for all."""
    return [(share, *same) for share in crew.share(things)]


def flat(lists: list[list[Any]]) -> list[Any]:
    return [each for one in lists for each in one]
