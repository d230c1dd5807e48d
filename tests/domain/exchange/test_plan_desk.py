import json

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.exchange.html_text import html_to_markdown
from pendesk.domain.exchange.plan import Comment, Goal, Note, Run
from pendesk.domain.exchange.plan_desk import read_plan_desk_export
from pendesk.domain.exchange.source import ImportFile
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from tests.domain.exchange.sample import one
from tests.refusals import refused
from tests.steps import count_steps

LAMP, WIRE, HORN = (f"a100000{n}-000{n}-400{n}-800{n}-00000000000{n}" for n in (1, 2, 3))


def export(**parts):
    values = {"version": "plandesk-export-v3", "project": {"name": "A"}, **parts}
    return [ImportFile("a.json", json.dumps(values).encode())]


def test_version_1():
    plan = read_plan_desk_export(one("plan_desk_v1.json"))
    assert (plan.name, plan.description) == ("Lighthouse", "A lamp and a horn.")
    assert {key: (task.label, task.state, task.x, task.y) for key, task in plan.tasks.items()} == {
        LAMP: ("Choose the lamp", "scope", 0, 0),
        WIRE: ("Wire the lamp", "todo", 0, 220.5),
        HORN: ("Sound the horn", "todo", 240, 220),
    }
    assert plan.tasks[LAMP].description == "LED or arc?"
    assert plan.tasks[LAMP].assignee_names == ("ada",)
    assert [task.due_on for task in plan.tasks.values()] == [None, "2026-12-01", None]
    assert plan.tasks[WIRE].description == ""
    assert {key: link.style for key, link in plan.links.items()} == {
        (LAMP, WIRE, "blocks"): "solid",
        (HORN, WIRE, "depends_on"): "dashed",
    }
    (document,) = plan.documents.values()
    assert (document.title, document.status_line, document.linked_task) == ("Lamps", "Open", LAMP)
    assert document.body == "**Status:** open\n\nLED:\n\n- cheap\n- cold"
    began, ended = parse_timestamp_us("2026-06-01T09:00:00.000Z"), parse_timestamp_us("2026-06-01T09:45:00.000Z")
    assert plan.runs == [Run("Planning", "completed", "2026-06-01T09:05:00.000Z Read the manual", began, ended)]
    assert plan.warnings == ["plan_desk_v1.json, tasks[2], status: is in_progress; you hold it here until you move it."]


def test_version_3():
    plan = read_plan_desk_export(one("plan_desk_v3.json"))
    assert plan.repository_url == "https://example.com/org/lighthouse.git"
    assert plan.description == "A lamp and a horn.\n\n---\n\n- Folder: apps/lamp"
    assert plan.goals == [Goal("Seen at twelve miles", "---\n\n- Status: active\n- Verification surface: A boat")]
    lamp = plan.tasks["t1"]
    assert (lamp.state, lamp.priority, lamp.area) == ("done", 300, "electric")
    assert lamp.labels == ("electric", "now")
    assert lamp.description == (
        "LED or arc?\n\n---\n\n- Kind: decision\n- Goal: Seen at twelve miles\n- Commits: abcdef1"
    )
    assert (lamp.created_at, lamp.updated_at) == (
        parse_timestamp_us("2028-01-02T00:00:00Z"),
        parse_timestamp_us("2028-01-03"),
    )
    assert set(plan.links) == {("t1", "t2", "supports")}
    documents = {document.title: document for document in plan.documents.values()}
    assert (documents["The LED"].parent, documents["The LED"].linked_task) == ("d1", "t1")
    assert documents["Lamps"].body == "All of them\n\n---\n\n- Folder: Drawings"
    assert documents["Sketch"].body == "```html\n<p>A lamp</p>\n```"
    assert plan.notes == [Note("Remember", "Fuses"), Note("A comment on a task", "Well chosen")]
    assert plan.comments == [Comment("d2", "How cold?", "cold", True, parse_timestamp_us("2030-01-02T03:04:05Z"))]
    result = "\n".join(plan.warnings)
    odd = ("'waiting'", "'leads to'", "document and document", "'Sketch'", "about a task", "'lamp.png'", "views")
    assert [words for words in odd if words not in result] == []


def test_nothing_else_is_needed_than_a_name():
    assert read_plan_desk_export(export()).name == "A"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"version": "plandesk-export-v9"}, ("a.json, version", "v9", "plandesk-export-v3")),
        ({"version": None}, ("a.json, version", "required")),
        ({"project": None}, ("a.json, project", "required")),
        ({"project": {"name": " "}}, ("a.json, project, name", "required")),
        ({"tasks": [{"label": "x"}]}, ("a.json, tasks[0], status", "required")),
        ({"tasks": [{"label": "x", "status": "todo"}]}, ("a.json, tasks[0], id", "required")),
        ({"tasks": [{"id": "a", "status": "todo", "x": "1"}]}, ("tasks[0], x", "must be a number")),
        ({"tasks": [{"id": "a", "status": "todo"}] * 2}, ("tasks[1]", "a second time")),
        ({"documents": [{"id": "d"}] * 2}, ("documents[1]", "a second time")),
        ({"documents": "none"}, ("documents", "must be a list")),
    ],
)
def test_what_is_wrong_is_told_by_its_place(parts, words):
    with refused(BadField, "bad_field", *words):
        read_plan_desk_export(export(**parts))


def test_a_circle_is_named():
    tasks = [{"id": name, "label": name, "status": "todo"} for name in "ab"]
    edges = [{"from_id": "a", "to_id": "b", "label": "blocks"}, {"from_id": "a", "to_id": "b", "label": "depends_on"}]
    with refused(RuleBroken, "cycle", "b -> a -> b"):
        read_plan_desk_export(export(tasks=tasks, edges=edges))


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("plain *text*", "plain *text*"),
        ("<h2>Head</h2><p>a <em>b</em> <code>c</code><br>d</p>", "## Head\n\na *b* `c`\nd"),
        ('<p><a href="https://x.example">x</a> &amp; y</p>', "[x](https://x.example) & y"),
        ("<ol><li>one</li><li>two<ul><li>deep</li></ul></li></ol><p>after</p>", "1. one\n1. two\n  - deep\n\nafter"),
        ("<script>alert(1)</script><p>safe</p>", "safe"),
        ("<pre>a\n b</pre>", "```\na\n b\n```"),
        ("<p>never closed", "never closed"),
        ("<p>a < b <c", "a < b <c"),
        ('<p title="a > b">c</p>', "c"),
        ("<p><a HREF='x?a=1&amp;b=2' class=y>x</a></p>", "[x](x?a=1&b=2)"),
        ("<p><a href=x>x</a></p>", "[x](x)"),
        ("<p>a<!-- <b> -->c<?php d ?><!DOCTYPE html>e", "ace"),
        ("<p>a<script>if (b<c) { d('</p>') }</script>e<style>f", "ae"),
        ("<p>&#65;&#x42;&nosuch;</p>", "AB&nosuch;"),
    ],
)
def test_rich_text_becomes_markdown(told, wanted):
    assert html_to_markdown(told) == wanted


@pytest.mark.parametrize(
    "unit",
    ["<a ", '<a b="', "<!--", "<![", "</", "<?", "<", "&", "&#", "<script>", "<ul><li>", "</a ", "<a'\"''", "<b href"],
)
def test_no_rich_text_is_read_again_and_again(unit):
    text = "<p>" + unit * 2_000
    assert count_steps(lambda: html_to_markdown(text)) < 50 * 2_000
    assert len(html_to_markdown(text)) < 60 * 2_000  # lists within lists are set in only so far


def test_a_character_whose_number_has_thousands_of_digits_stays_as_it_is():
    assert html_to_markdown(f"<p>&#{'1' * 5_000};").endswith("1;")


def test_the_source_of_an_artifact_is_fenced_by_one_back_quote_more():
    def fenced(content: str) -> str:
        result = export(artifacts=[{"id": "a", "title": "A", "kind": "text", "content": content}])
        return read_plan_desk_export(result).documents["a"].body

    assert fenced("a ```` b").startswith("`````text\n")
    quotes = "`" * 30_000
    assert count_steps(lambda: fenced(quotes)) < 2_000
