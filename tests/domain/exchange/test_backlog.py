import pytest

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.exchange.backlog import read_backlog_md_folder
from pendesk.domain.exchange.plan import Criterion, Goal
from pendesk.domain.exchange.source import ImportFile
from tests.domain.exchange.sample import folder
from tests.refusals import refused

MINUTE = 60 * 1_000_000


@pytest.fixture
def plan():
    return read_backlog_md_folder(folder("backlog"))


def task(**head):
    result = "\n".join(f"{name}: {value}" for name, value in ({"id": "TASK-1", "title": "One"} | head).items())
    return ImportFile("tasks/task-1.md", f"---\n{result}\n---\n".encode())


def test_the_name_and_the_milestones_are_read(plan):
    assert plan.name == "Tide tables"
    assert plan.goals == [Goal("Spring tide", "Milestone: Spring tide")]


def test_tasks_come_in_the_order_of_their_numbers_with_their_states(plan):
    assert {key: (item.label, item.state) for key, item in plan.tasks.items()} == {
        "DRAFT-1": ("An unripe thought", "backlog"),
        "TASK-1": ("Read the harbour's gauge", "todo"),
        "TASK-2": ("Predict the next high water", "todo"),
        "TASK-2.1": ("Parse the almanac", "todo"),
        "TASK-2.2": ("Draw the curve", "todo"),
        "TASK-3": ("Choose a name: tides & currents", "done"),
    }


def test_a_task_keeps_all_it_says(plan):
    first = plan.tasks["TASK-1"]
    assert first.description == (
        'Poll the gauge every minute: "raw" values, not smoothed.\n\nSecond paragraph.\n\n---\n\n'
        "- Milestone: Spring tide"
    )
    assert first.criteria == (
        Criterion("A value a minute is stored", True),
        Criterion("A gap is marked, not filled", False),
    )
    assert (first.priority, first.area) == (200, "sensors")
    assert (first.assignee_names, first.labels) == (("ada",), ("sensors", "backend"))
    assert first.created_at == first.updated_at
    assert first.created_at is not None
    assert first.created_at % MINUTE == 0


def test_other_sections_stay_in_the_text(plan):
    assert plan.tasks["TASK-2"].description == (
        "Harmonic constants from the almanac.\n\n## Implementation Plan\n\n1. Read constants\n2. Sum them\n\n"
        "## Implementation Notes\n\nHalf of it is written.\n\n---\n\n- Status: In Progress"
    )
    assert "## Definition of Done\n\n- [ ] #1 Everyone agrees" in plan.tasks["TASK-3"].description
    assert "## Final Summary\n\nIt is called Tide tables." in plan.tasks["TASK-3"].description
    assert "References: https://example.com/curve" in plan.tasks["TASK-2.2"].description


def test_dependencies_and_parts_become_links(plan):
    assert set(plan.links) == {
        ("TASK-2", "TASK-1", "depends_on"),
        ("TASK-2.2", "TASK-2.1", "depends_on"),
        ("TASK-2.1", "TASK-2", "feeds"),
        ("TASK-2.2", "TASK-2", "feeds"),
    }


def test_documents_and_decisions_are_documents(plan):
    values = {document.title: (document.status_line, document.body) for document in plan.documents.values()}
    assert values["Gauge protocol"] == (
        "",
        "A frame is eight bytes. The last one is a checksum.\n\n---\n\n- Type: other",
    )
    assert values["Store UTC only"][0] == "proposed"
    assert "## Decision" in values["Store UTC only"][1]


def test_what_is_under_way_is_told(plan):
    assert len(plan.warnings) == 1
    assert "line 4, status: is 'In Progress'" in plan.warnings[0]


def test_the_folder_is_found_within_a_repository():
    inside = [ImportFile(f"repo/backlog/{item.name}", item.content) for item in folder("backlog")]
    assert len(read_backlog_md_folder([ImportFile("repo/README.md", b"hi"), *inside]).tasks) == 6


def test_what_cannot_be_taken_along_is_told():
    files = [
        task(status="Someday", dependencies="[TASK-9, TASK-1]"),
        ImportFile("archive/tasks/task-7.md", b"---\nid: TASK-7\n---\n"),
        ImportFile("stray/other.md", b"x"),
    ]
    plan = read_backlog_md_folder(files)
    assert plan.tasks["TASK-1"].state == "backlog"
    assert "- Status: Someday" in plan.tasks["TASK-1"].description
    result = "\n".join(plan.warnings)
    for words in ("archived", "no folder of Backlog.md", "'Someday'", "names 'TASK-9'", "linked with itself"):
        assert words in result


def test_a_part_that_waits_for_its_whole_is_linked_without_an_order():
    result = ImportFile("tasks/task-2.md", b"---\nid: TASK-2\ntitle: Two\n---\n")
    plan = read_backlog_md_folder([task(parent_task_id="TASK-2", dependencies="[TASK-2]"), result])
    assert set(plan.links) == {("TASK-1", "TASK-2", "depends_on"), ("TASK-1", "TASK-2", "supports")}
    assert "without an order" in plan.warnings[0]


def test_a_long_title_stands_whole_in_the_text():
    plan = read_backlog_md_folder([task(title="word " * 60)])
    first = plan.tasks["TASK-1"]
    assert len(first.label) == 200
    assert first.description == ("word " * 60).strip()


def test_a_byte_order_mark_and_windows_line_ends_are_read():
    odd = [item._replace(content=b"\xef\xbb\xbf" + item.content.replace(b"\n", b"\r\n")) for item in folder("backlog")]
    plain, read = read_backlog_md_folder(folder("backlog")), read_backlog_md_folder(odd)
    assert read.tasks == plain.tasks
    assert read.links == plain.links


def test_criteria_beyond_what_an_action_holds_stay_in_the_text():
    items = "\n".join(f"- [ ] #{number} Criterion {number}" for number in range(1, 61))
    file = ImportFile("tasks/task-1.md", f"---\nid: TASK-1\ntitle: One\n---\n## Acceptance Criteria\n{items}".encode())
    plan = read_backlog_md_folder([file])
    assert len(plan.tasks["TASK-1"].criteria) == 50
    assert "- [ ] Criterion 60" in plan.tasks["TASK-1"].description
    assert "10 acceptance criteria" in plan.warnings[0]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([ImportFile("notes.md", b"x")], ("tasks/", "name the folder")),
        ([task(id="")], ("tasks/task-1.md", "line 2, id", "required")),
        ([task(), ImportFile("tasks/b.md", b"---\nid: task-1\n---\n")], ("TASK-1", "a second time")),
        ([ImportFile("tasks/a.md", b"---\nid: A\n\xff: x\n---\n")], ("tasks/a.md, line 3", "UTF-8")),
        ([ImportFile("tasks/a.md", b"---\nid: A\ntitle: x")], ("tasks/a.md, line 1", "never ends")),
        ([ImportFile("tasks/a.md", b"---\nid: &a x\n---\n")], ("line 2, id", "'&'")),
        ([ImportFile("tasks/a.md", b"---\nid: A\nlabels:\n  deep: er\n---\n")], ("line 4, labels", "nested")),
        ([ImportFile("tasks/a.md", b"---\nid: A\nid: B\n---\n")], ("line 3, id", "twice")),
        ([ImportFile("tasks/a.md", b"---\nid: A\n---\n" + b"x" * 200_000)], ("tasks/a.md", "100000 is the limit")),
    ],
)
def test_what_is_wrong_is_told_by_file_line_and_field(files, words):
    with refused(BadField, "bad_field", *words):
        read_backlog_md_folder(files)


def test_a_circle_is_named():
    files = [task(dependencies="[TASK-2]"), ImportFile("tasks/b.md", b"---\nid: TASK-2\ndependencies: [TASK-1]\n---\n")]
    with refused(RuleBroken, "cycle", "TASK-1 -> TASK-2"):
        read_backlog_md_folder(files)


@pytest.mark.parametrize("name", ["tasks/1²2.md", f"tasks/{'9' * 5_000}.md", "tasks/١٢.md"])
def test_any_digits_may_stand_in_a_name(name):
    (task,) = read_backlog_md_folder([ImportFile(name, b"---\nid: task-1\ntitle: A\n---\n")]).tasks.values()
    assert task.label == "A"


def test_blanks_around_headings_items_and_marks_do_not_count():
    text = (
        "---\nid: task-1\ntitle: A\n---\n  <!-- SECTION:DESCRIPTION:BEGIN -->\nText <!-- AC:BEGIN -->more\n\n"
        "## Acceptance Criteria   \n\t<!-- AC:BEGIN -->  \n- [x] #1 Lit  \n- [ ] Dark\t\n<!-- AC:END -->\n"
        "##  Notes \nB\n"
    )
    (task,) = read_backlog_md_folder([ImportFile("tasks/1.md", text.encode())]).tasks.values()
    assert [(criterion.text, criterion.met) for criterion in task.criteria] == [("Lit", True), ("Dark", False)]
    assert task.description == "Text more\n\n## Notes\n\nB"
