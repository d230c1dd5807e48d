"""Search finds the same on both engines: every test here runs on each."""

import random

import pytest

from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import SEARCH_ROWS, TEXT_CHARS
from pendesk.domain.search import split_into_search_words
from pendesk.operations.projects import search
from pendesk.store import search as texts
from tests.refusals import refused
from tests.workbench import drafted_spec, next_door, published_spec


async def found(desk, actor, query, **more):
    return {result["title"] for result in (await desk.call(actor, "search", query=query, **more))["results"]}


async def note(desk, ada, title, body=""):
    return await desk.call(ada, "create_note", project_id="PEN", title=title, body=body)


async def test_every_kind_of_text_is_found(desk, ada):
    work = await drafted_spec(desk, ada, actions=1)
    await desk.call(ada, "create_document", project_id="PEN", title="Design", body="A password is typed.")
    await note(desk, ada, "Remember", "The password policy")
    results = (await desk.call(ada, "search", query="password"))["results"]
    assert {result["kind"] for result in results} == {"spec", "document", "note"}
    assert await found(desk, ada, "criterion") == {"Action 1"}
    assert {item["projectId"] for item in results} == {work.project_id}


async def test_all_words_must_occur_and_the_last_may_be_a_beginning(desk, ada, project):
    await note(desk, ada, "Both", "alpha beta")
    await note(desk, ada, "One", "alpha only")
    assert await found(desk, ada, "alpha bet") == {"Both"}
    assert await found(desk, ada, "alph beta") == set()
    assert await found(desk, ada, "alph") == {"Both", "One"}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Überprüfung", "uberprufung"),
        ("uberprufung", "ÜBERPRÜFUNG"),
        ("STRASSE", "straße"),
        ("see src/pendesk/store/engine/sqlite.py", "sqlite"),
        ("see src/pendesk/store/engine/sqlite.py", "src/pendesk"),
        ("mail ada@example.com", "example"),
        ("https://example.org/a?b=c", "b c"),
        ("a <b>bold</b> claim", "bold"),
        ("in <details> tags", "details"),
        ("snake_case_name", "case"),
        ("half-done", "done"),
        ("commit 4e3ca9f1 broke it", "4e3c"),
        ("version 1.2.3", "1.2"),
        ("-5 degrees", "5"),
        ("R&amp;D", "amp"),
        ("漢字かな", "漢字"),
        ("Привет, мир", "привет"),
        ("it's O'Reilly", "o'reilly"),
        ("x" * 3000, "x" * 100),
    ],
)
async def test_words_are_the_same_words_everywhere(desk, ada, project, text, query):
    await note(desk, ada, "Here", text)
    await note(desk, ada, "Elsewhere", "nothing of the kind")
    assert await found(desk, ada, query) == {"Here"}


@pytest.mark.parametrize("query", ["", "  ", "'\"*&|!():<->", "_", "…"])
async def test_a_query_without_a_word_is_refused_by_name(desk, ada, query):
    with refused(BadField) as caught:
        await desk.call(ada, "search", query=query)
    assert caught.refusal.details["field"] == "query"


@pytest.mark.parametrize("query", ["a OR b", "NOT a", "NEAR(a b)", 'a" OR "b', "a:* | b", "title:a", "a' & 'b"])
async def test_operators_are_only_words(desk, ada, project, query):
    await note(desk, ada, "a", "b")
    await desk.call(ada, "search", query=query)


async def test_too_many_words_are_refused(desk, ada):
    with refused(BadField):
        await desk.call(ada, "search", query=" ".join("abcdefghijkl"))


async def test_an_edited_text_is_found_by_its_new_words_only(desk, ada, project):
    result = await note(desk, ada, "Here", "before")
    await desk.call(ada, "update_note", note_id=result["pid"], body="afterwards", expected_revision=1)
    assert await found(desk, ada, "afterwards") == {"Here"}
    assert await found(desk, ada, "before") == set()


async def test_a_criterion_added_later_is_found(desk, ada, project):
    await desk.call(ada, "create_action", project_id="PEN", label="A task")
    criterion = await desk.call(ada, "create_criterion", action_id="PEN-1", text="Zebras sleep")
    assert await found(desk, ada, "zebras") == {"A task"}
    await desk.call(ada, "remove_criterion", criterion_id=criterion["criteria"][0]["id"])
    assert await found(desk, ada, "zebras") == set()


async def test_one_project_only(desk, ada, project):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    await note(desk, ada, "Here", "word")
    await desk.call(ada, "create_note", project_id="OTH", title="There", body="word")
    assert await found(desk, ada, "word") == {"Here", "There"}
    assert await found(desk, ada, "word", project_id="OTH") == {"There"}
    with refused(NotFound):
        await desk.call(ada, "search", query="word", project_id="NOPE")


async def test_nothing_of_another_workspace_is_found(desk, ada, project):
    await note(desk, ada, "Secret", "treasure")
    other = await next_door(desk)
    assert await found(other, await other.person("Eve"), "treasure") == set()


async def test_results_are_bounded_and_a_title_counts_more(desk, ada, project):
    for number in range(SEARCH_ROWS + 5):
        await note(desk, ada, f"Note {number}", "the word is here")
    await note(desk, ada, "The word itself", "nothing else")
    results = (await desk.call(ada, "search", query="word"))["results"]
    assert len(results) == SEARCH_ROWS
    assert results[0]["title"] == "The word itself"


@pytest.fixture
async def harbours(desk, ada, project, monkeypatch):
    """Six notes, of which only some are looked at: the first is the oldest."""
    monkeypatch.setattr(search, "SEARCH_ROWS", 3)
    monkeypatch.setattr(texts, "SEARCH_TEXTS_LOOKED_AT", 4)
    monkeypatch.setattr(texts, "SEARCH_MATCHES_COMPARED", 4)
    for number in range(1, 7):
        rare = "lighthouse " if number in (1, 3) else ""
        await note(desk, ada, f"Harbour {number}", f"{rare}of stone, number{number % 2} {'old' if number < 3 else ''}")


async def titles_and_note(desk, ada, query, **more):
    answer = await desk.call(ada, "search", query=query, **more)
    return [result["title"] for result in answer["results"]], answer.get("note")


@pytest.mark.parametrize("query", ["stone", "stone harbour", "harb", "of ston"])
async def test_a_common_word_is_looked_for_among_the_newest_and_the_answer_says_so(desk, ada, harbours, query):
    newest = ["Harbour 6", "Harbour 5", "Harbour 4"]
    for scope in ({}, {"project_id": "PEN"}, {"kind": "note"}, {"project_id": "PEN", "kind": "note"}):
        assert await titles_and_note(desk, ada, query, **scope) == (newest, search.OLDER)


async def test_a_rare_word_is_found_however_old_its_text_is(desk, ada, harbours):
    for query in ("lighthouse", "lightho", "stone old"):
        titles, partial = await titles_and_note(desk, ada, query, project_id="PEN")
        assert (titles[-1], partial) == ("Harbour 1", None)
    assert await titles_and_note(desk, ada, "submarine") == ([], None)
    assert await titles_and_note(desk, ada, "stone", kind="document") == ([], None)


async def test_where_the_index_has_more_than_are_compared_the_answer_says_so(desk, ada, harbours, monkeypatch):
    monkeypatch.setattr(texts, "SEARCH_TEXTS_LOOKED_AT", 1)
    monkeypatch.setattr(texts, "SEARCH_MATCHES_COMPARED", 2)
    assert await titles_and_note(desk, ada, "number1") == (["Harbour 5", "Harbour 3"], search.OLDER)
    assert await titles_and_note(desk, ada, "lighthouse") == (["Harbour 3", "Harbour 1"], None)


async def test_the_excerpt_shows_the_word_in_its_place(desk, ada, project):
    await note(desk, ada, "Here", "before " * 100 + "the needle lies " + "after " * 100)
    (first,) = (await desk.call(ada, "search", query="needle"))["results"]
    assert "the needle lies" in first["excerpt"]
    assert len(first["excerpt"]) < 250


@pytest.mark.parametrize("unit", ["word", "𐌰𐌱", "漢 ", "\ufdfa", "é" * 50, "1 "])
async def test_the_longest_text_is_indexed_whatever_it_is_made_of(desk, ada, project, unit):
    numbered = "".join(f"{unit}{chr(0x4E00 + number % 20_000)} " for number in range(TEXT_CHARS // (len(unit) + 2)))
    await note(desk, ada, "Long", numbered[:TEXT_CHARS])
    assert await found(desk, ada, "long") == {"Long"}


async def test_both_engines_agree_with_the_plain_rule(desk, ada, project):
    """Texts of awkward pieces, made from a fixed seed; what must be found is worked out in Python."""
    dice = random.Random(7)
    pieces = [*"0123456789eExX", *"abc", *"éßжñ字ばǆ½²ªİ", " ", " ", "/", "-", ".", "_", "<", ">", "&", "'", '"', "\\"]
    bodies = {f"T{number}": "".join(dice.choices(pieces, k=40)) for number in range(15)}
    for title, body in bodies.items():
        await note(desk, ada, title, body)
    for body in bodies.values():
        for word in body.split()[:4]:
            result = split_into_search_words(word)
            if result:
                assert await found(desk, ada, word) == {t for t, text in bodies.items() if holds(text, result)}, word


def holds(text, wanted):
    has = split_into_search_words(text)
    return all(word in has for word in wanted[:-1]) and any(word.startswith(wanted[-1]) for word in has)


@pytest.fixture
async def tides(desk, ada, grace, project):
    """What holds the word "tide", of every kind, by two people."""
    spec = await desk.call(ada, "create_spec", project_id="PEN", title="Tide tables", summary="For **every** harbour")
    for label, assignee in (("Draw tides", "Grace"), ("Store tides", "Ada"), ("Print tides", None)):
        given = {"assignee": assignee} if assignee else {}
        await desk.call(ada, "create_action", project_id="PEN", label=label, **given)
    await desk.call(ada, "update_action", action_id="PEN-3", state="wont_do", reason="Nobody prints.")
    await desk.call(grace, "create_note", project_id="PEN", title="Tidewater", body="> *Low* `tide_mark`\n> - [x] seen")
    await desk.call(ada, "create_document", project_id="PEN", title="Tides", body="## High\ntide")
    return spec


async def test_a_result_says_its_state_its_project_and_its_build(desk, ada, tides):
    results = {match["title"]: match for match in (await desk.call(ada, "search", query="tide"))["results"]}
    assert {match["projectName"] for match in results.values()} == {"Pendesk"}
    assert {title: match.get("state") for title, match in results.items() if match["kind"] == "action"} == {
        "Draw tides": "todo",
        "Store tides": "todo",
        "Print tides": "wont_do",
    }
    assert results["Tide tables"].get("build") is None
    await published_spec(desk, ada)
    (spec,) = (await desk.call(ada, "search", query="password", kind="spec"))["results"]
    assert spec["build"] == "B1"


async def test_an_excerpt_has_no_marks_of_markdown(desk, ada, tides):
    excerpts = {match["title"]: match["excerpt"] for match in (await desk.call(ada, "search", query="tide"))["results"]}
    assert excerpts["Tide tables"] == "For every harbour"
    assert excerpts["Tidewater"] == "Low tide_mark seen"
    assert excerpts["Tides"] == "High tide"


async def test_only_actions_in_a_state(desk, ada, tides):
    assert await found(desk, ada, "tide", status="wont_do") == {"Print tides"}
    assert await found(desk, ada, "tide", status="todo", kind="action") == {"Draw tides", "Store tides"}
    answer = await desk.call(ada, "search", query="tide", status="done", kind="note")
    assert (answer["results"], answer["note"]) == ([], search.ONLY_ACTIONS)


async def test_only_what_is_of_a_person(desk, ada, grace, tides):
    assert await found(desk, ada, "tide", user_pid=grace.user_id) == {"Draw tides", "Tidewater"}
    assert await found(desk, ada, "tide", user_pid="me") == {"Store tides", "Tide tables", "Tides"}
    assert await found(desk, ada, "tide", user_pid="me", kind="action") == {"Store tides"}
    await desk.call(ada, "add_participant", spec_id=tides["pid"], user_id=grace.user_id)
    assert await found(desk, grace, "tide", user_pid="me", kind="spec") == {"Tide tables"}
    with refused(BadField) as caught:
        await desk.call(ada, "search", query="tide", user_pid="nobody")
    assert caught.refusal.details["field"] == "user_pid"


async def test_a_state_and_a_person_are_looked_for_in_the_index_as_well(desk, ada, grace, tides, monkeypatch):
    monkeypatch.setattr(texts, "SEARCH_TEXTS_LOOKED_AT", 1)
    assert await found(desk, ada, "tide", status="todo") == {"Draw tides", "Store tides"}
    assert await found(desk, ada, "tide", user_pid=grace.user_id) == {"Draw tides", "Tidewater"}
