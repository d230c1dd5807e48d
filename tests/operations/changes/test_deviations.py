"""Where a submission departs from what was agreed: recorded with it, shown to its agent first, decided by a person."""

import asyncio

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.change import Omission
from pendesk.domain.limits import DEVIATION_SUBJECTS_SHOWN, DEVIATION_SUBJECTS_TOLD
from pendesk.operations.building import submission
from pendesk.operations.building.claim_overlaps import lock_work_of_project
from pendesk.operations.changes import push_change, save_change
from pendesk.operations.changes.change_upload import ManifestCommit, ManifestFile
from pendesk.operations.changes.deviations import ADVISORY, record_deviations
from tests.diffs import HEAD, created, modified, packed, push, renamed
from tests.events import events_of
from tests.operations.changes.together import Held, entering_together, meet
from tests.workbench import drafted_spec, published_spec

FORBID = "No billing. {forbid: src/billing/**, !src/billing/tax.py}"
REQUIRE = "Users are told. {require: CHANGELOG.md}"
NO_DEPENDENCIES = "Nothing new. {no-dependencies: !httpx}"
RUN = "The linter is content. {run: make  lint}"
COMMIT = "c" * 40


@pytest.fixture
async def held(desk):
    """An action of a spec with every kind of rule, which Ada's agent holds."""
    author, ada = await desk.person("Author"), await desk.person("Ada", scopes=BUILDING_SCOPES)
    work = await drafted_spec(desk, author, actions=1, criteria=1)
    await desk.call(
        author, "update_spec", spec_id=work.spec_id, conditions=[REQUIRE, RUN], boundaries=[FORBID, NO_DEPENDENCIES]
    )
    await desk.call(author, "update_action", action_id=work.actions[0]["pid"], paths=["src", "CHANGELOG.md"])
    await desk.call(author, "add_participant", spec_id=work.spec_id, user_id=ada.user_id)
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return author, ada, work, work.actions[0]


async def submit(desk, actor, action, head=HEAD, tool="submit_for_review", **fields):
    code = {"branch": "feature", "head_sha": head, "summary": "Done.", **fields}
    return await desk.call(actor, tool, action_pid=action["pid"], **code)


async def rows(desk, person, action):
    return (await desk.call(person, "get_review", action_id=action["pid"]))["deviations"]


def kinds(deviations):
    return [(entry["kind"], entry["subjects"]) for entry in deviations]


PASSED = [{"command": "make lint", "outcome": "passed", "evidence": "exit 0"}]


async def test_the_agent_hears_of_every_deviation_before_a_person_does(desk, held):
    author, ada, _, action = held
    package = created("web/package.json", "{", '"dependencies": {"left-pad": "^1", "httpx": "1"}', "}")
    changed = [modified("src/billing/pay.py"), modified("src/billing/tax.py"), renamed("src/billing/a.py", "src/b.py")]
    commits = [ManifestCommit(COMMIT, "Tidy up")]
    await push(desk, ada, action["pid"], packed(*changed, package, commits=commits))
    answer = await submit(desk, ada, action)
    assert kinds(answer["deviations"]) == [
        ("forbidden_path", ["src/billing/pay.py", "src/billing/a.py"]),
        ("dependency_added", ["left-pad in web/package.json"]),
        ("outside_paths", ["web/package.json"]),
        ("required_path_unchanged", ["CHANGELOG.md"]),
        ("command_not_reported", ["make  lint"]),
        ("commit_without_criterion", [COMMIT]),
    ]
    assert [entry.get("rule") for entry in answer["deviations"]] == [FORBID, NO_DEPENDENCIES, None, REQUIRE, RUN, None]
    assert answer["advisory"].endswith(ADVISORY)
    shown = await rows(desk, author, action)
    assert kinds(shown) == kinds(answer["deviations"])
    assert {entry["state"] for entry in shown} == {"open"}
    assert [entry["canGoIntoSpec"] for entry in shown] == [True, True, True, False, False, False]
    (need,) = (await desk.call(author, "get_inbox", kind="review"))["items"]
    assert need["deviations"] == 6


async def test_what_keeps_to_the_rules_has_none(desk, held):
    author, ada, _, action = held
    await desk.call(
        ada, "report_commit", action_pid=action["pid"], sha=COMMIT, message="Do", criterion_ids=action["criteria"]
    )
    files = [modified("src/app.py"), modified("CHANGELOG.md"), modified("src/billing/tax.py")]
    await push(desk, ada, action["pid"], packed(*files, commits=[ManifestCommit(COMMIT, "Do")]))
    answer = await submit(desk, ada, action, commands=PASSED)
    assert "deviations" not in answer
    page = await desk.call(author, "get_review", action_id=action["pid"])
    assert "deviations" not in page
    assert page["commands"] == PASSED
    assert await events_of(desk, author, "deviations.recorded") == []


async def test_without_a_change_only_what_needs_none_is_checked(desk, held):
    _, ada, _, action = held
    await desk.call(ada, "report_commit", action_pid=action["pid"], sha=COMMIT, message="Do\n\nmore")
    answer = await submit(desk, ada, action, commands=[{"command": "make lint", "outcome": "failed"}])
    assert kinds(answer["deviations"]) == [
        ("command_failed", ["make  lint"]),
        ("commit_without_criterion", [COMMIT]),
    ]


async def test_a_change_pushed_afterwards_is_checked_then(desk, held):
    author, ada, _, action = held
    await submit(desk, ada, action, commands=PASSED)
    assert "deviations" not in await desk.call(author, "get_review", action_id=action["pid"])
    pushed = await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md"), modified("docs/x.md")))
    assert kinds(pushed["deviations"]) == [("outside_paths", ["docs/x.md"])]
    assert pushed["advisory"] == ADVISORY
    (first,) = await rows(desk, author, action)
    await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md"), modified("docs/x.md", added="other")))
    assert await rows(desk, author, action) == [first], "with the same subjects it stays the same"
    await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md"), modified("docs/y.md")))
    (other,) = await rows(desk, author, action)
    assert (other["subjects"], other["id"] != first["id"]) == (["docs/y.md"], True)
    await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md")))
    assert "deviations" not in await desk.call(author, "get_review", action_id=action["pid"])
    events = await events_of(desk, author, "deviations.recorded")
    assert [event["data"]["what"] for event in events] == ["files outside the action's paths"] * 2 + ["none"]


async def test_a_file_that_lists_dependencies_and_came_without_lines_is_told_as_unread(desk, held):
    _, ada, _, action = held
    header = "diff --git a/src/go.mod b/src/go.mod\nindex 1111111..2222222 100644\n"
    known = [ManifestFile("src/go.mod", omitted=Omission.TOO_LARGE)]
    await push(desk, ada, action["pid"], packed(header, modified("CHANGELOG.md"), known=known))
    answer = await submit(desk, ada, action, commands=PASSED)
    assert kinds(answer["deviations"]) == [
        ("dependency_added", ["? in src/go.mod (its lines were not pushed)"]),
    ]


async def test_many_subjects_are_counted_and_few_are_named(desk, held):
    author, ada, _, action = held
    files = [modified(f"docs/{number:04}.md") for number in range(300)]
    await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md"), *files))
    answer = await submit(desk, ada, action, commands=PASSED)
    (told,) = answer["deviations"]
    assert (len(told["subjects"]), told["count"]) == (DEVIATION_SUBJECTS_TOLD, 300)
    (shown,) = await rows(desk, author, action)
    assert (len(shown["subjects"]), shown["count"], shown["canGoIntoSpec"]) == (DEVIATION_SUBJECTS_SHOWN, 300, False)


async def test_rules_are_those_of_the_published_build(desk, held):
    author, ada, work, action = held
    await desk.call(author, "update_spec", spec_id=work.spec_id, conditions=[], boundaries=[])
    await desk.call(author, "update_action", action_id=action["pid"], paths=[])
    await push(desk, ada, action["pid"], packed(modified("docs/x.md")))
    answer = await submit(desk, ada, action)
    assert [entry["kind"] for entry in answer["deviations"]] == [
        "outside_paths",
        "required_path_unchanged",
        "command_not_reported",
    ]
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    again = await submit(desk, ada, action, tool="resubmit_for_review")
    assert "deviations" not in again


async def test_the_same_head_submitted_again_is_checked_by_the_change_of_before(desk, held):
    _, ada, _, action = held
    await push(desk, ada, action["pid"], packed(modified("CHANGELOG.md"), modified("docs/x.md")))
    await submit(desk, ada, action, commands=PASSED)
    again = await submit(desk, ada, action, tool="resubmit_for_review", commands=PASSED)
    assert kinds(again["deviations"]) == [("outside_paths", ["docs/x.md"])]


async def test_an_action_without_paths_rules_or_criteria_has_none(desk):
    ada = await desk.person("Ada")
    project = await desk.call(ada, "create_project", name="Pendesk")
    task = await desk.call(ada, "create_task", project_id=project["pid"], label="Do", status="todo")
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    await desk.call(ada, "report_commit", action_pid=task["pid"], sha=COMMIT, message="Do")
    await push(desk, ada, task["pid"], packed(modified("docs/x.md")))
    assert "deviations" not in await submit(desk, ada, task)


async def test_two_pushes_and_a_submission_at_once_leave_one_set(desk, held):
    author, ada, _, action = held
    contents = [packed(modified("CHANGELOG.md"), modified(f"docs/{name}.md")) for name in "ab"]
    await asyncio.gather(
        submit(desk, ada, action, commands=PASSED),
        *(push(desk, ada, action["pid"], content) for content in contents),
    )
    files = (await desk.call(author, "get_change", action_id=action["pid"]))["files"]
    outside = [file["path"] for file in files if file["path"] != "CHANGELOG.md"]
    assert kinds(await rows(desk, author, action)) == [("outside_paths", outside)]


async def test_two_pushes_at_once_to_a_submission_leave_the_set_of_the_change_that_stays(desk, held):
    author, ada, _, action = held
    await submit(desk, ada, action, commands=PASSED)
    contents = [packed(modified("CHANGELOG.md"), modified(f"docs/{name}.md")) for name in "abcd"]
    await asyncio.gather(*(push(desk, ada, action["pid"], content) for content in contents))
    files = (await desk.call(author, "get_change", action_id=action["pid"]))["files"]
    outside = [file["path"] for file in files if file["path"] != "CHANGELOG.md"]
    assert kinds(await rows(desk, author, action)) == [("outside_paths", outside)]


async def test_the_brief_says_that_rules_are_checked(desk, held):
    _, ada, _, action = held
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    assert "as commands" in brief["next_step"]
    assert brief["spec"]["boundaries"] == [FORBID, NO_DEPENDENCIES]


async def test_of_two_submissions_inside_of_their_transactions_each_agent_hears_and_each_card_says_it_once(
    desk, monkeypatch
):
    """Nothing that one locks keeps the other from recording its own."""
    author = await desk.person("Author")
    agents = [await desk.person(name, scopes=BUILDING_SCOPES) for name in ("Ada", "Eve")]
    work = await published_spec(desk, author, actions=2, criteria=1, participants=tuple(agents))
    for agent, action, name in zip(agents, work.actions, "ab", strict=True):
        await desk.call(agent, "claim_action", action_pid=action["pid"])
        await push(desk, agent, action["pid"], packed(modified(f"docs/{name}.md")))
    with entering_together(desk, monkeypatch), monkeypatch.context() as patch:
        patch.setattr(submission, "record_deviations", meet(record_deviations))
        answers = await asyncio.gather(*map(submit, [desk, desk], agents, work.actions))
    board = await desk.call(author, "get_board", project_id=work.project_id)
    cards = {card["refCode"]: card for column in board["columns"] for card in column["cards"]}
    for answer, action, name in zip(answers, work.actions, "ab", strict=True):
        expected = [("outside_paths", [f"docs/{name}.md"])]
        assert kinds(answer["deviations"]) == kinds(await rows(desk, author, action)) == expected
        assert cards[action["refCode"]]["deviations"] == 1
    events = await events_of(desk, author, "deviations.recorded")
    assert sorted(event["actionId"] for event in events) == sorted(action["pid"] for action in work.actions)


async def test_of_two_pushes_to_a_submission_the_second_waits_until_the_first_has_recorded_its_deviations(
    desk, held, monkeypatch
):
    author, ada, _, action = held
    await submit(desk, ada, action, commands=PASSED)
    recording = Held(record_deviations)
    with entering_together(desk, monkeypatch), monkeypatch.context() as patch:
        patch.setattr(push_change, "lock_work_of_project", meet(lock_work_of_project))
        patch.setattr(save_change, "record_deviations", recording)
        contents = [packed(modified("CHANGELOG.md"), modified(f"docs/{name}.md")) for name in "ab"]
        answers = await asyncio.gather(*(push(desk, ada, action["pid"], content) for content in contents))
    assert [kinds(answer["deviations"]) for answer in answers] == [
        [("outside_paths", ["docs/a.md"])],
        [("outside_paths", ["docs/b.md"])],
    ]
    (kept,) = kinds(await rows(desk, author, action))
    files = (await desk.call(author, "get_change", action_id=action["pid"]))["files"]
    assert kept == ("outside_paths", [file["path"] for file in files if file["path"] != "CHANGELOG.md"])
    assert len(await events_of(desk, author, "deviations.recorded")) == 2
    assert recording.other_waited == ([True] if desk.store.engine == "postgres" else [])
