import json

import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.github_issues import read_github_issues
from pendesk.domain.exchange.plan import Criterion, Goal
from pendesk.domain.exchange.source import ImportFile
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from tests.domain.exchange.sample import one
from tests.refusals import refused


def issues(*told):
    return [ImportFile("issues.json", json.dumps(list(told)).encode())]


def test_what_gh_prints():
    plan = read_github_issues(one("github_gh.json"))
    assert (plan.name, plan.repository_url) == ("example/lighthouse", "https://github.com/example/lighthouse")
    assert {key: (task.state, task.state_reason, task.area) for key, task in plan.tasks.items()} == {
        "#12": ("todo", None, "bug"),
        "#13": ("done", None, ""),
        "#14": ("wont_do", "Closed as not planned.", "lamp"),
    }
    lamp = plan.tasks["#12"]
    assert lamp.criteria == (Criterion("Reproduce it", True), Criterion("Fix the driver", False))
    assert lamp.description == (
        "It flickers.\n\n- [x] Reproduce it\n- [ ] Fix the driver\n- [ ] #13\n\nDepends on #14\n\n"
        "## Comments\n\n**eve** 2026-02-01T10:00:00Z\n\nSeen it too.\n\n---\n\n"
        "- Issue: #12 https://github.com/example/lighthouse/issues/12\n- Author: bob\n"
        "- Milestone: Winter"
    )
    assert (lamp.assignee_names, lamp.labels, lamp.due_on) == (("ada", "Ada"), ("bug", "lamp"), None)
    assert lamp.created_at == parse_timestamp_us("2026-01-31T09:00:00Z")
    assert plan.goals == [Goal("Winter", "Before the storms")]
    assert set(plan.links) == {("#13", "#12", "feeds"), ("#12", "#14", "depends_on")}
    assert plan.warnings == []


def test_the_array_of_the_rest_api():
    plan = read_github_issues(one("github_rest.json"))
    assert {key: (task.label, task.state, task.state_reason) for key, task in plan.tasks.items()} == {
        "#7": ("Foghorn too quiet", "todo", None),
        "#8": ("Buy a horn", "wont_do", "Closed as a duplicate."),
    }
    assert set(plan.links) == {("#7", "#8", "depends_on")}
    assert "Author: bob" in plan.tasks["#7"].description
    assert "Closed at: 2026-01-05T00:00:00Z" in plan.tasks["#8"].description
    assert plan.warnings == [
        "github_rest.json, [0]: has 4 comments, which are not in the file; gh prints them: --json comments.",
        "github_rest.json, [2]: #9 is a pull request; it is left out.",
    ]


def test_a_milestone_says_when_it_is_due_and_a_label_how_urgent_it_is():
    issues = [
        {
            "number": number,
            "title": "A",
            "labels": labels,
            "assignees": ["ada", {"login": "bob"}],
            "milestone": {"title": "M", "dueOn": "2026-12-01T08:00:00Z"},
        }
        for number, labels in enumerate((["P1", "priority: low"], ["Priority/Urgent"], ["highway", "p9"]))
    ]
    plan = read_github_issues([ImportFile("issues.json", json.dumps(issues).encode())])
    assert [task.priority for task in plan.tasks.values()] == [200, 300, 0]
    assert {(task.due_on, task.assignee_names) for task in plan.tasks.values()} == {("2026-12-01", ("ada",))}
    assert "- Assignees: ada, bob" in plan.tasks["#0"].description


def test_pages_that_were_slurped_are_read_as_one_list():
    pages = [[{"number": 1, "title": "A"}], [{"number": 2, "title": "B"}]]
    plan = read_github_issues([ImportFile("issues.json", json.dumps(pages).encode())])
    assert list(plan.tasks) == ["#1", "#2"]


def test_an_unknown_state_is_told():
    plan = read_github_issues(issues({"number": 1, "title": "A", "state": "pinned"}))
    assert plan.tasks["#1"].state == "backlog"
    assert "'pinned'" in plan.warnings[0]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"title": "A"}, ("issues.json, [0], number", "--json number")),
        ({"number": 1.5}, ("[0], number", "whole number")),
        ({"number": "1"}, ("[0], number", "must be a number")),
        ({"number": 1, "labels": [3]}, ("[0], labels[0]", "must be an object")),
        ({"number": 1, "milestone": {}}, ("[0], milestone, title", "required")),
        ({"number": 1, "body": "x" * 200_000}, ("[0], body", "100000 is the limit")),
        (7, ("issues.json, [0]", "must be an object")),
    ],
)
def test_what_is_wrong_is_told_by_its_place(told, words):
    with refused(BadField, "bad_field", *words):
        read_github_issues(issues(told))


def test_an_object_is_no_list_of_issues():
    with refused(BadField, "bad_field", "issues.json", "must be a list of issues"):
        read_github_issues([ImportFile("issues.json", b"{}")])


def test_an_issue_that_is_there_twice_is_refused():
    with refused(BadField, "bad_field", "issues.json, [1]", "'#1'"):
        read_github_issues(issues({"number": 1}, {"number": 1}))
