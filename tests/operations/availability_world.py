"""Every action there can be: its state and claim, what it waits for and where it is, times who looks at it."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.limits import Limits
from pendesk.store import tallies
from tests.desk import TestDesk

# The state of the action, and who holds it or has: a terminal of Ada's, one that sends no mark, or Ada in person.
SITUATIONS = {
    "backlog": ("backlog", None, None),
    "scope": ("scope", None, None),
    "todo": ("todo", None, None),
    "released": ("todo", "terminal", "released"),
    "live": ("in_progress", "terminal", "active"),
    "live, unmarked": ("in_progress", "unmarked", "active"),
    "live, person": ("in_progress", "person", "active"),
    "expired": ("in_progress", "terminal", "expired"),
    "in review": ("in_review", "terminal", "submitted"),
    "changes requested": ("changes_requested", "terminal", "submitted"),
    "rework live": ("changes_requested", "terminal", "active"),
    "rework expired": ("changes_requested", "terminal", "expired"),
    "done": ("done", "terminal", "done"),
    "wont_do": ("wont_do", "terminal", "dropped"),
}
# What it waits for, and in which state that is.
PREREQUISITES = {
    "none": None,
    "free": "todo",
    "blocked": "todo",
    "done": "done",
    "dropped": "wont_do",
    "let go": "wont_do",
}
HOLDS_BACK = ("free", "blocked", "dropped")
PLACES = ("published", "unpublished", "no spec", "paused")
# The others are like one of these: an action without criteria, and those that were moved before or after publishing.
LIKE = {
    "no spec, no criteria": "no spec",
    "moved in": "published",
    "moved in late": "unpublished",
    "moved out": "no spec",
    "moved out and back": "published",
}
# The places in each project, few enough for the edges that an action can have. The last one is paused.
PROJECTS = (PLACES[:3], tuple(LIKE)[:3], tuple(LIKE)[3:], ("paused",))
CALLERS = ("terminal", "other terminal", "unmarked", "person", "participant", "stranger")


class Case(NamedTuple):
    situation: str
    prerequisite: str
    place: str


CASES = [Case(*parts) for parts in product(SITUATIONS, PREREQUISITES, PLACES)]
# What was moved into a spec after it was published cannot have been claimed since, and is not moved while it is held.
CASES += [
    Case(situation, prerequisite, place)
    for situation, prerequisite, place in product(SITUATIONS, ("none", "free"), LIKE)
    if place != "moved in late" or SITUATIONS[situation][1] is None
]


# Enough where one rule alone is another one.
FEW_CASES = [case for case in CASES if case.place in PLACES and case.prerequisite in ("none", "free")]


class World(NamedTuple):
    desk: TestDesk
    callers: dict[str, Actor]
    cases: dict[str, Case]  # by ref code
    project_ids: list[str]
    spec_ids: list[str]


def expected(case: Case, caller: str, *, everyone: bool = False) -> tuple[str, str | None]:
    """What domain.md says, word for word, and not as the program computes it. `everyone` takes part in specs."""
    case = case._replace(place=LIKE.get(case.place, case.place))
    state, holder, claim = SITUATIONS[case.situation]
    of_user = caller not in ("participant", "stranger")
    if state in ("done", "wont_do"):
        return state, None
    if claim in ("active", "expired") and caller == holder and holder != "unmarked":
        return "mine", None
    if claim == "active":
        return "held", None
    if state == "in_review":
        return "in_review", None
    if state == "changes_requested" and (case.place != "paused" or not of_user):
        return ("changes_requested" if of_user else "in_review"), None
    if case.place == "paused":
        return "not_ready", "project_not_active"
    if state in ("backlog", "scope"):
        return "not_ready", state
    if case.place == "unpublished":
        return "not_ready", "unpublished"
    if case.prerequisite in HOLDS_BACK:
        return "blocked", None
    if caller == "stranger" and case.place != "no spec" and not everyone:
        return "not_ready", "not_a_participant"
    return "free", None


async def build_world(desk: TestDesk, built_cases: Sequence[Case] = CASES) -> World:
    many = TestDesk(desk.store, desk.clock, Limits(live_claims_per_user=1_000, lease_us=10**12, lease_cap_us=10**13))
    many.workspace = desk.workspace
    callers = await _callers(many)
    ada = callers["person"]
    cases: dict[str, Case] = {}
    project_ids: list[str] = []
    spec_ids: list[str] = []
    for places in PROJECTS:
        project = await many.call(ada, "create_project", name="Matrix")
        spec = await many.call(ada, "create_spec", project_id=project["pid"], title="Matrix", summary="All there is.")
        plan = await many.call(ada, "create_plan", spec_id=spec["pid"], title="Plan", approach="Begin.")
        await many.call(ada, "add_participant", spec_id=spec["pid"], user_id=callers["participant"].user_id)
        first = await _prerequisites(many, ada, plan["pid"])
        actions = [
            (await _action(many, ada, case, project["pid"], plan["pid"], first), case)
            for case in built_cases
            if case.place in places
        ]
        await _move(many, ada, actions, {"moved in": spec["pid"]})
        await many.call(ada, "publish_build", spec_id=spec["pid"])
        await _move(many, ada, actions, {"moved in late": spec["pid"], "moved out": "", "moved out and back": ""})
        await _move(many, ada, actions, {"moved out and back": spec["pid"]})
        await many.store.write(many.workspace, partial(_set_state, action_ids=list(first.values()), state="done"))
        for action, case in actions:
            await _bring_about(many, callers, action, case)
        await many.store.write(many.workspace, partial(_set_prerequisites, first=first))
        await many.store.write(many.workspace, partial(_count_actions, project_id=project["pid"]))
        if "paused" in places:
            await many.call(ada, "update_project", project_id=project["pid"], state="paused")
        cases |= {action["refCode"]: case for action, case in actions}
        project_ids.append(project["pid"])
        spec_ids.append(spec["pid"])
    if many.store.engine == "postgres":
        # By itself it does so a minute later; until then it takes a workspace for one row, and plans by that.
        await many.store.write("", lambda tx: tx.run("ANALYZE"))
    return World(many, callers, cases, project_ids, spec_ids)


async def _callers(desk: TestDesk) -> dict[str, Actor]:
    ada, grace, ivan = [await desk.person(name) for name in ("Ada", "Grace", "Ivan")]

    async def agent(person: Actor, name: str) -> Actor:
        token = await desk.call(person, "create_token", name=name, scopes=["specs.read", "builds.write"])
        return person._replace(via="mcp", scopes=ALL_SCOPES, token_id=token["tokenId"])

    def marked(actor: Actor, process: str) -> Actor:
        marks = frozenset({make_mark(MarkKind.PROCESS, process)})
        return actor._replace(origin=CallOrigin(client="claude-code", machine="laptop", marks=marks))

    terminal = await agent(ada, "Ada's laptop")
    return {
        "terminal": marked(terminal, "1"),
        "other terminal": marked(terminal, "2"),
        "unmarked": terminal._replace(origin=CallOrigin(client="claude-code", machine="laptop")),
        "person": ada,
        "participant": marked(await agent(grace, "Grace's laptop"), "3"),
        "stranger": marked(await agent(ivan, "Ivan's laptop"), "4"),
    }


async def _prerequisites(desk: TestDesk, author: Actor, plan_id: str) -> dict[str, str]:
    ids: dict[str, str] = {}
    for name in ("free", "blocked", "done", "dropped", "let go"):
        action = await desk.call(
            author,
            "create_action",
            plan_id=plan_id,
            label=f"first, {name}",
            criteria=["It holds"],
            prerequisites=[ids["free"]] if name == "blocked" else [],
        )
        ids[name] = action["pid"]
    return ids


async def _action(
    desk: TestDesk, author: Actor, case: Case, project_id: str, plan_id: str, first: dict[str, str]
) -> dict[str, Any]:
    begins_outside = case.place in ("no spec", "no spec, no criteria", "moved in", "moved in late")
    where = {"project_id": project_id} if begins_outside else {"plan_id": plan_id}
    return await desk.call(
        author,
        "create_action",
        **where,
        label=f"matrix: {case.situation}, {case.prerequisite}, {case.place}",
        criteria=[] if case.place == "no spec, no criteria" else ["It holds"],
        prerequisites=[first[case.prerequisite]] if case.prerequisite != "none" else [],
    )


async def _move(
    desk: TestDesk, author: Actor, actions: list[tuple[dict[str, Any], Case]], spec_id_by_place: dict[str, str]
) -> None:
    for action, case in actions:
        if case.place in spec_id_by_place:
            await desk.call(author, "move_action", action_id=action["pid"], spec_id=spec_id_by_place[case.place])


async def let_everyone_take_part(world: World) -> None:
    owner = await world.desk.person("Olga", Role.OWNER)
    await world.desk.call(owner, "set_participation", participation="everyone")


async def _bring_about(desk: TestDesk, callers: dict[str, Actor], action: dict[str, Any], case: Case) -> None:
    state, holder, claim = SITUATIONS[case.situation]
    if holder is not None and case.place == "no spec, no criteria":
        await desk.call(callers[holder], "update_task", task_id=action["pid"], status="in_progress")
    elif holder is not None:
        await desk.call(callers[holder], "claim_action", action_pid=action["pid"])
    await desk.store.write(desk.workspace, lambda tx: _set_state(tx, [action["pid"]], state, claim))
    if case.place == "unpublished":
        await desk.store.write(
            desk.workspace,
            lambda tx: tx.run(
                "DELETE FROM build_actions WHERE workspace_id = :workspace AND action_id = :id", id=action["pid"]
            ),
        )


def _count_actions(tx: Any, project_id: str) -> None:
    sql = "DELETE FROM action_tallies WHERE workspace_id = :workspace AND project_id = :project_id"
    tx.run(sql, project_id=project_id)
    tallies.add_counts(tx, project_id, tallies.count_all(tx, project_id))


def _set_state(tx: Any, action_ids: list[str], state: str, claim: str | None = None) -> None:
    """As years of work would have left it."""
    for action_id in action_ids:
        tx.run("UPDATE actions SET state = :s WHERE workspace_id = :workspace AND id = :id", s=state, id=action_id)
        if claim == "expired":
            tx.run(
                "UPDATE claims SET expires_at = :past WHERE workspace_id = :workspace AND action_id = :id",
                past=tx.now - 1,
                id=action_id,
            )
        elif claim is not None:
            sql = "UPDATE claims SET state = :s WHERE workspace_id = :workspace AND action_id = :id"
            tx.run(sql, s=claim, id=action_id)


def _set_prerequisites(tx: Any, first: dict[str, str]) -> None:
    for name, action_id in first.items():
        _set_state(tx, [action_id], PREREQUISITES[name] or "todo")
    tx.run(
        "UPDATE actions SET drop_accepted_at = :now, drop_accepted_by = created_by "
        "WHERE workspace_id = :workspace AND id = :id",
        now=tx.now,
        id=first["let go"],
    )
