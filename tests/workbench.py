"""Work for tests to be about: a project with a published spec, made through the dispatcher like anybody would."""

from typing import Any, NamedTuple, Protocol

from pendesk.domain.access import Actor
from pendesk.store import people
from tests.callers import accept_invite_as_known_user
from tests.desk import TestDesk


class Caller(Protocol):
    """A TestDesk, or people at a running server."""

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]: ...


class Work(NamedTuple):
    """`actions` are {pid, refCode, criteria: [ids]}, in the order of the plan."""

    project_id: str
    spec_id: str
    plan_id: str
    actions: list[dict[str, Any]]


async def drafted_spec(
    desk: Caller, author: Actor, *, actions: int = 2, criteria: int = 2, chain: bool = False
) -> Work:
    """A spec with an active plan, not published. With `chain`, each action waits for the one before it."""
    project = await desk.call(author, "create_project", name="Pendesk", description="A work server")
    spec = await desk.call(
        author,
        "create_spec",
        project_id=project["pid"],
        title="Sign in",
        summary="People sign in with a password.",
        results=["A person can sign in"],
        conditions=["Passwords are hashed"],
        boundaries=["No single sign-on"],
    )
    plan = await desk.call(author, "create_plan", spec_id=spec["pid"], title="Plan A", approach="Begin with the form.")
    made: list[dict[str, Any]] = []
    for number in range(1, actions + 1):
        action = await desk.call(
            author,
            "create_action",
            plan_id=plan["pid"],
            label=f"Action {number}",
            description=f"Do part {number}.",
            area="backend",
            paths=[f"src/part{number}/**"],
            criteria=[f"Criterion {number}.{each} holds" for each in range(1, criteria + 1)],
            prerequisites=[made[-1]["pid"]] if chain and made else [],
        )
        ids = [criterion["id"] for criterion in action["criteria"]]
        made.append({"pid": action["pid"], "refCode": action["refCode"], "criteria": ids})
    return Work(project["pid"], spec["pid"], plan["pid"], made)


async def published_spec(
    desk: Caller,
    author: Actor,
    *,
    actions: int = 2,
    criteria: int = 2,
    chain: bool = False,
    participants: tuple[Actor, ...] = (),
) -> Work:
    """The same, published as B1; the author takes part, and so does everyone in `participants`."""
    work = await drafted_spec(desk, author, actions=actions, criteria=criteria, chain=chain)
    for person in participants:
        await desk.call(author, "add_participant", spec_id=work.spec_id, user_id=person.user_id)
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    return work


async def accept_deviations(desk: Caller, person: Actor, action_id: str) -> None:
    """All that the newest submission departs in, so that it can be approved."""
    page = await desk.call(person, "get_review", action_id=action_id)
    seen = [row["id"] for row in page.get("deviations", [])]
    await desk.call(person, "accept_deviations", action_id=action_id, deviation_ids=seen)


async def next_door(desk: TestDesk) -> TestDesk:
    """Another workspace of the same installation."""
    return await TestDesk(desk.store, desk.clock).open("Next door")


async def join_next_door(other: TestDesk, admin: Actor, person: Actor) -> None:
    """Somebody who has an account joins another workspace, by invite, as the only way is."""
    user = await other.store.read("", lambda tx: people.user(tx, person.user_id))
    assert user is not None
    made = await other.call(admin, "invite_member", email=user.email)
    assert await accept_invite_as_known_user(other.dispatcher, made["url"].partition("code=")[2], person.user_id)
