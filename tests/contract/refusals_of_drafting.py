"""Every refusal that a drafting agent can meet, each brought about in a situation of its own."""

from typing import Any

from pendesk.ids import new_id
from tests.contract.refusal_world import Arguments, Attempt, Row, World, adding_to

ROWS: list[Row] = []
refused_at = adding_to(ROWS)
NEW = {"title": "Search", "results": ["Words are found"]}


def drafted(world: World, **fields: Any) -> Attempt:
    return Attempt(world.both, "draft_spec", {"project_id": world.key, **NEW, **fields})


def in_own_spec(world: World, *_: Any) -> list[Arguments]:
    return [{"spec_id": world.work.spec_id}]


@refused_at("operations/proposals/find.py:find_proposal", "not_found", follow={"get_draft": in_own_spec})
async def read_a_draft_that_never_was(world: World) -> Attempt:
    return Attempt(world.both, "get_draft", {"draft_id": new_id()})


@refused_at("operations/proposals/get_draft.py:run", "bad_field", retry=in_own_spec)
async def read_no_draft(world: World) -> Attempt:
    return Attempt(world.both, "get_draft", {})


@refused_at("domain/proposal.py:check_changes_something", "nothing_changes", retry={"summary": "Another one."})
async def draft_what_is_there_already(world: World) -> Attempt:
    spec = await world.do(world.ada, "get_spec_draft", spec_id=world.work.spec_id)
    return Attempt(world.both, "draft_spec", {"spec_id": world.work.spec_id, "title": spec["title"]})


LONG = ["x" * 1_900 + str(number) for number in range(50)]


@refused_at("domain/proposal.py:check_proposal_size", "draft_too_large", retry={"summary": None})
async def draft_too_much_at_once(world: World) -> Attempt:
    return drafted(world, summary="y" * 90_000, results=LONG, conditions=LONG[:30])


REPLACING = "domain/proposal.py:check_may_be_replaced"


@refused_at(REPLACING, "bad_field", retry={"draft_id": None})
async def replace_a_plan_by_a_spec(world: World) -> Attempt:
    actions = [{"key": "db", "label": "Add a table", "criteria": ["It is there"]}]
    draft = await world.do(world.both, "draft_plan", spec_id=world.work.spec_id, actions=actions)
    return drafted(world, draft_id=draft["pid"])


@refused_at(REPLACING, "bad_field", retry={"draft_id": None})
async def replace_an_old_version(world: World) -> Attempt:
    draft = await world.do(world.both, "draft_spec", project_id=world.key, **NEW)
    await world.do(world.both, "draft_spec", draft_id=draft["pid"], **NEW)
    return drafted(world, draft_id=draft["pid"])


@refused_at("operations/proposals/draft_spec.py:run", "bad_field", retry={"title": "Search"})
async def draft_a_spec_without_a_title(world: World) -> Attempt:
    return Attempt(world.both, "draft_spec", {"project_id": world.key, "summary": "Find words."})


BELONGING = "operations/proposals/draft_spec.py:_find_spec_and_lock_project"


@refused_at(BELONGING, "bad_field", retry=lambda world, *_: [{"project_id": world.key}])
async def draft_a_spec_of_no_project(world: World) -> Attempt:
    return Attempt(world.both, "draft_spec", {**NEW})


@refused_at(BELONGING, "bad_field", retry={"draft_id": None})
async def replace_a_draft_of_another_project(world: World) -> Attempt:
    await world.task()
    draft = await world.do(world.both, "draft_spec", project_id=world.plain, **NEW)
    return drafted(world, draft_id=draft["pid"])


TASK = "operations/proposals/drafting_task.py:find_drafting_task"


@refused_at(TASK, "bad_field", retry={"task_id": None})
async def draft_for_a_task_of_another_project(world: World) -> Attempt:
    return drafted(world, task_id=await world.task())


@refused_at(TASK, "bad_field", retry={"task_id": None})
async def draft_for_work_that_is_to_be_built(world: World) -> Attempt:
    return drafted(world, task_id=world.refs[0])


@refused_at(TASK, "bad_field", retry={"task_id": None})
async def draft_a_spec_where_a_plan_was_asked_for(world: World) -> Attempt:
    task = await world.do(world.ada, "request_draft", spec_id=world.work.spec_id)
    return drafted(world, task_id=task["refCode"])


@refused_at("domain/scope_rules.py:check_rules", "bad_field", retry={"boundaries": ["No {forbid: src/pay/**}"]})
async def draft_a_rule_that_cannot_be_checked(world: World) -> Attempt:
    return drafted(world, boundaries=["Leave it alone {forbid: /etc/passwd}"])
