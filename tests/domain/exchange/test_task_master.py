import json

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.exchange.github_issues import read_github_issues
from pendesk.domain.exchange.plan import ImportPlan, Task, TaskLink
from pendesk.domain.exchange.source import ImportFile
from pendesk.domain.exchange.task_master import read_task_master_file
from pendesk.domain.limits import FOREIGN_LINKS, IMPORT_WARNINGS
from tests.domain.exchange.sample import one
from tests.refusals import refused
from tests.steps import count_steps


@pytest.fixture
def plan():
    return read_task_master_file(one("task_master.json"))


def tasks(*told):
    return [ImportFile("tasks.json", json.dumps({"master": {"tasks": list(told)}}).encode())]


def test_tasks_subtasks_and_tags(plan):
    assert {key: (item.label, item.state, item.priority, item.area) for key, item in plan.tasks.items()} == {
        "1": ("Read the gauge", "done", 200, ""),
        "2": ("Predict high water", "todo", 100, ""),
        "2.1": ("Parse the almanac", "todo", 100, ""),  # as urgent as what it is a part of
        "2.2": ("Sum the constituents", "todo", 100, ""),
        "3": ("Draw the curve", "todo", 50, ""),
        "someday:1": ("Moon phases", "todo", 100, "someday"),
    }
    assert plan.name == "Task Master"


def test_texts_stay_whole(plan):
    assert plan.tasks["1"].description == "Poll it every minute\n\nUse the serial port.\\n9600 baud."
    assert plan.tasks["2"].description == "From the almanac\n\n---\n\n- Status: in-progress"
    assert plan.tasks["2.1"].description == "All 37 constituents"


def test_dependencies_of_tasks_and_of_subtasks(plan):
    assert set(plan.links) == {
        ("2", "1", "depends_on"),
        ("3", "1", "depends_on"),
        ("3", "2", "depends_on"),
        ("2.1", "2", "feeds"),
        ("2.2", "2", "feeds"),
        ("2.2", "2.1", "depends_on"),
    }


def test_what_is_under_way_is_told(plan):
    assert plan.warnings == [
        "task_master.json, master, tasks[1]: is in-progress; it becomes todo, as nobody holds it here."
    ]


def test_an_old_file_without_tags_is_read_too():
    old = ImportFile("tasks.json", b'{"tasks": [{"id": 1, "title": "A"}], "metadata": {"projectName": "x"}}')
    assert list(read_task_master_file([old]).tasks) == ["1"]


def test_the_file_is_found_among_others():
    result = ImportFile(".taskmaster/tasks/tasks.json", one("task_master.json")[0].content)
    assert len(read_task_master_file([ImportFile(".taskmaster/config.json", b"{}"), result]).tasks) == 6


def test_every_status_has_a_place():
    items = [
        {"id": number, "title": "A", "status": status}
        for number, status in enumerate(["pending", "review", "blocked", "deferred", "cancelled", "frozen"], 1)
    ]
    plan = read_task_master_file(tasks(*items))
    states = [task.state for task in plan.tasks.values()]
    assert states == ["todo", "todo", "todo", "backlog", "wont_do", "backlog"]
    assert plan.tasks["5"].state_reason == "Cancelled in Task Master."
    assert "'frozen'" in plan.warnings[-1]
    assert "Status: frozen" in plan.tasks["6"].description


def test_what_has_no_field_is_kept_below_the_text():
    plan = read_task_master_file(
        tasks({"id": 1, "title": "A", "complexity": 7, "priority": "huge", "testStrategy": "Try it"})
    )
    assert plan.tasks["1"].description == "## Test strategy\n\nTry it\n\n---\n\n- Priority: huge\n- complexity: 7"


def test_a_dependency_on_nothing_is_told_and_left_out():
    plan = read_task_master_file(tasks({"id": 1, "title": "A", "dependencies": [7, "9.1", 1]}))
    assert not plan.links
    assert ["names '7'" in plan.warnings[0], "names '9.1'" in plan.warnings[1], "itself" in plan.warnings[2]] == [
        True
    ] * 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("tasks.json, line 1", "not valid JSON")),
        (b'{"master": {"tasks": [\n{"id": 1,}]}}', ("tasks.json, line 2", "not valid JSON")),
        (b"[]", ("tasks.json", "must be an object")),
        (b'{"a": {"b": 1}}', ("tasks.json, a", "has no tasks")),
        (b'{"a": 1}', ("tasks.json, a", "must be an object")),
        (b'{"tasks": {}}', ("tasks.json, tasks", "must be a list")),
        (b'{"tasks": [1]}', ("tasks.json, tasks[0]", "must be an object")),
        (b'{"tasks": [{"title": "A"}]}', ("tasks.json, tasks[0], id", "required")),
        (b'{"tasks": [{"id": 1, "title": ["A"]}]}', ("tasks[0], title", "must be a text")),
        (b'{"tasks": [{"id": 1}, {"id": "1"}]}', ("tasks[1]", "a second time")),
        (b'{"tasks": [{"id": 1, "dependencies": [{}]}]}', ("tasks[0], dependencies[0]", "id of a task")),
        (b'{"tasks": [{"id": 1, "id": 2}]}', ("'id'", "twice")),
        (b'{"tasks": [{"id": NaN}]}', ("NaN", "not a number")),
        (b'{"tasks": ' + b"[" * 60 + b"]" * 60 + b"}", ("tasks.json", "deeper than 50")),
        (b'{"tasks": ' + b"[" * 100_000, ("tasks.json", "not valid JSON")),
        (b'{"tasks": [{"id": "\xff"}]}', ("tasks.json, line 1", "UTF-8")),
    ],
)
def test_what_is_wrong_is_told_by_its_place(content, words):
    with refused(BadField, "bad_field", *words):
        read_task_master_file([ImportFile("tasks.json", content)])


def test_a_circle_is_named():
    with refused(RuleBroken, "cycle", "1 -> "):
        read_task_master_file(tasks(*({"id": number, "dependencies": [number % 3 + 1]} for number in (1, 2, 3))))


def test_half_a_character_and_controls_are_left_out():
    plan = read_task_master_file([ImportFile("tasks.json", b'{"tasks": [{"id": 1, "title": "a\\ud800\\u0000b\\nc"}]}')])
    assert plan.tasks["1"].label == "ab c"


def test_a_number_that_no_number_holds_is_a_fault_of_the_file():
    for number in ("1" + "0" * 400, "1e999"):
        result = f'[{{"number": {number}, "title": "A"}}]'.encode()
        with refused(BadField, None, "too large a number"):
            read_github_issues([ImportFile("issues.json", result)])


def test_a_name_given_twice_is_found_in_one_walk():
    names = ",".join(f'"a{number}":1' for number in range(4_000))
    items = [ImportFile("tasks.json", f'{{{names},"a3999":1}}'.encode())]

    def read() -> None:
        with refused(BadField, None, "'a3999' is given twice"):
            read_task_master_file(items)

    assert count_steps(read) < 40_000


def test_a_long_id_is_refused_before_its_subtasks_repeat_it():
    result = tasks({"id": "a" * 100_000, "title": "A", "subtasks": [{"id": 1, "title": "B"}]})
    with refused(BadField, None, "200 characters") as caught:
        read_task_master_file(result)
    assert len(caught.refusal.message) < 500


def test_a_file_of_nothing_but_brackets_is_refused_before_it_is_read():
    items = [ImportFile("tasks.json", b'{"tasks":[' + b"{}," * 3_000_000 + b"{}]}")]
    with refused(BadField, None, "commas and brackets"):
        read_task_master_file(items)


def test_parts_that_wait_for_their_wholes_are_loosened_in_one_walk():
    plan = ImportPlan("")
    for number in range(1_000):
        plan.add_task(Task(str(number), "", "", "", "todo"))
        if number:
            plan.add_task_link(TaskLink(str(number), "0", "feeds", "here"))
            plan.add_task_link(TaskLink(str(number), "0", "depends_on", "here"))
    assert count_steps(plan.repair_task_links) < 100_000
    assert sum(link.label == "supports" for link in plan.links.values()) == 999
    assert len(plan.warnings) == IMPORT_WARNINGS + 1


def test_links_have_a_limit():
    plan = ImportPlan("")
    for number in range(FOREIGN_LINKS):
        plan.add_task_link(TaskLink(str(number), "0", "feeds", "here"))
    with refused(BadField, None, "too many"):
        plan.add_task_link(TaskLink("0", "1", "feeds", "here"))
