"""Other programs' plans become projects here: on both engines, through the dispatcher."""

import json

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.source import ImportFile
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
        (task.label, task.state_under_way or task.state) for task in plan.tasks.values()
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


def imported_fields(action):
    return action.get("assignee", {}).get("name"), action.get("due"), action.get("labels")


async def test_an_assignee_is_the_member_of_that_name_and_dates_and_labels_stay(desk, ada, monkeypatch):
    monkeypatch.setitem(FILES, "plandesk", one("plan_desk_v1.json"))
    imported = await import_from(desk, ada, "plandesk")
    first, second, _ = (await desk.call(ada, "list_actions", project_id=imported.key))["actions"]
    assert (imported_fields(first), imported_fields(second)) == (("Ada", None, None), (None, "2026-12-01", None))
    monkeypatch.undo()
    again = await import_from(desk, ada, "plandesk", key="AGAIN")
    first = (await desk.call(ada, "list_actions", project_id=again.key))["actions"][0]
    assert imported_fields(first) == ("Ada", None, ["electric", "now"])
    read = await desk.call(ada, "get_action", action_id=first["pid"])
    assert (read["createdAt"], read["updatedAt"]) == ("2028-01-02T00:00:00.000Z", "2028-01-03T00:00:00.000Z")


@pytest.mark.parametrize("as_specs", [False, True])
async def test_what_is_under_way_stays_so_and_is_held_by_who_imports(desk, ada, monkeypatch, as_specs):
    tasks = [
        {"id": state, "label": state, "status": state, "tag_ids": ["lamp"]} for state in ("in_progress", "in_review")
    ]
    file = {"version": "plandesk-export-v3", "project": {"name": "A"}, "tasks": tasks}
    monkeypatch.setitem(FILES, "plandesk", [ImportFile("export.json", json.dumps(file).encode())])
    imported = await import_from(desk, ada, "plandesk", as_specs=as_specs)
    working, submitted = (await desk.call(ada, "list_actions", project_id=imported.key))["actions"]
    assert (working["state"], submitted["state"]) == ("in_progress", "in_review")
    assert (working["specId"] is not None) == as_specs
    claim = (await desk.call(ada, "get_action", action_id=working["pid"]))["claim"]
    assert (claim["holder"], claim["state"]) == ("Ada", "active")
    assert (await desk.call(ada, "get_review", action_id=submitted["pid"]))["refCode"] == submitted["refCode"]
    await desk.call(ada, "update_task", task_id=working["pid"], status="done")
    assert {warning.rpartition("; ")[2] for warning in imported.warnings} >= {
        "you hold it here until you move it.",
        "it waits for a review here.",
    }


async def test_an_assignee_who_is_nobody_here_becomes_a_label_and_the_report_says_so(desk):
    owner = await desk.person("Olga", Role.OWNER)
    imported = await import_from(desk, owner, "github")
    assert "@ada" in imported.warnings[-1]
    first = (await desk.call(owner, "list_actions", project_id=imported.key))["actions"][0]
    assert imported_fields(first) == (None, None, ["@ada", "bug", "lamp"])
    members = (await desk.call(owner, "list_members"))["members"]
    assert [member["name"] for member in members] == ["Olga"]


async def test_twice_is_two_projects(desk, ada):
    first, second = [await import_from(desk, ada, "github") for _ in range(2)]
    assert (first.key, second.key) == ("EL", "EL2")
    third = await import_from(desk, ada, "github", key="LGT", name="Light")
    assert (third.key, third.name) == ("LGT", "Light")


def test_nothing_to_read_is_told():
    with refused(BadField, "bad_field", "no file"):
        parse_third_party_files("backlog", [])


async def test_what_no_person_would_see_is_removed_from_another_programs_file(desk, ada, monkeypatch):
    spoiled = [
        ImportFile(file.name, file.content.replace(b'"title": "', '"title": "\u202e\U000e0041'.encode()))
        for file in FILES["github"]
    ]
    monkeypatch.setitem(FILES, "github", spoiled)
    imported = await import_from(desk, ada, "github")
    assert any("had hidden characters" in warning for warning in imported.warnings)
    tasks = (await desk.call(ada, "list_tasks", project_id=imported.key))["tasks"]
    assert tasks
    assert "\u202e" not in str(tasks)
