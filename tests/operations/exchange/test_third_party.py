"""Other programs' plans become projects here: on both engines, through the dispatcher."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField
from pendesk.operations.exchange.import_flow import run_import
from pendesk.operations.exchange.third_party import READERS, parse_third_party_files, stage_import_from_plan
from tests.domain.exchange.sample import folder, one
from tests.exchange import folder_of
from tests.refusals import refused

FILES = {
    "backlog": folder("backlog"),
    "taskmaster": one("task_master.json"),
    "plandesk": one("plan_desk_v3.json"),
    "github": one("github_gh.json"),
}


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


async def import_from(desk, actor, program, as_specs=False, **asked):
    def stage():
        plan = parse_third_party_files(program, FILES[program], as_specs=as_specs)
        return stage_import_from_plan(desk.installation.files, plan, program, actor, desk.clock())

    return await run_import(desk.dispatcher, actor, stage, now=desk.clock(), **asked)


def test_every_program_has_a_sample():
    assert set(FILES) == set(READERS)


@pytest.mark.parametrize("program", FILES)
async def test_a_plan_becomes_a_project_and_a_dry_run_tells_the_same(desk, ada, program):
    before = folder_of(desk)
    result = await import_from(desk, ada, program, dry_run=True)
    assert (await desk.call(ada, "list_projects"))["projects"] == []
    imported = await import_from(desk, ada, program)
    assert (result.counts, result.warnings, result.key) == (imported.counts, imported.warnings, imported.key)
    assert folder_of(desk) == before
    project = await desk.call(ada, "get_project", project_id=imported.key)
    assert sum(project["counts"].values()) == imported.counts["action"]
    plan = parse_third_party_files(program, FILES[program])
    actions = (await desk.call(ada, "list_actions", project_id=imported.key))["actions"]
    assert [(action["label"], action["state"]) for action in actions] == [
        (task.label, task.state) for task in plan.tasks.values()
    ]


# The specs of the samples, and how many actions are in each.
SPECS = {
    "backlog": {"Spring tide": 1, "Predict the next high water": 3},
    "taskmaster": {"Predict high water": 3, "someday": 1},
    "plandesk": {"Seen at twelve miles": 1},
    "github": {"Winter": 3},
}


@pytest.mark.parametrize("program", FILES)
async def test_its_groups_become_specs_that_can_be_published(desk, ada, program):
    dry = await import_from(desk, ada, program, as_specs=True, dry_run=True)
    imported = await import_from(desk, ada, program, as_specs=True)
    assert (dry.counts, dry.warnings) == (imported.counts, imported.warnings)
    rows = (await desk.call(ada, "list_specs", project_id=imported.key))["specs"]
    drafts = [await desk.call(ada, "get_spec_draft", spec_id=row["pid"]) for row in rows]
    assert {draft["title"]: len(draft["actions"]) for draft in drafts} == SPECS[program]
    assert imported.counts["spec"] == imported.counts["plan"] == len(rows)
    for draft in drafts:
        assert [person["name"] for person in draft["participants"]] == ["Ada"]
        without = [action for action in draft["actions"] if action["state"] == "todo" and not action["criteria"]]
        for action in without:
            await desk.call(ada, "create_criterion", action_id=action["refCode"], text="It can be seen")
        warned = [warning for warning in imported.warnings if warning.startswith(f"spec {draft['title']!r}")]
        assert bool(warned) == bool(without)
        await desk.call(ada, "publish_build", spec_id=draft["pid"])
    listed = (await desk.call(ada, "list_available_specs"))["specs"]
    assert {spec["title"] for spec in listed} == SPECS[program].keys()


async def test_agents_find_the_next_task_and_people_the_words(desk, ada):
    imported = await import_from(desk, ada, "taskmaster")
    following = await desk.call(ada, "get_next_task", project_id=imported.key)
    assert following["task"]["label"] == "Parse the almanac"  # 1 is done, 2 waits for its parts
    results = (await desk.call(ada, "search", query="almanac"))["results"]
    assert {item["title"] for item in results} == {"Parse the almanac", "Predict high water"}
    first = await desk.call(ada, "list_revisions", object_id=following["task"]["pid"])
    assert first["revisions"][0]["author"] == "Ada"


async def test_twice_is_two_projects(desk, ada):
    first, second = [await import_from(desk, ada, "github") for _ in range(2)]
    assert (first.key, second.key) == ("EL", "EL2")
    third = await import_from(desk, ada, "github", key="LGT", name="Light")
    assert (third.key, third.name) == ("LGT", "Light")


def test_nothing_to_read_is_told():
    with refused(BadField, "bad_field", "no file"):
        parse_third_party_files("backlog", [])
