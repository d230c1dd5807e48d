"""A report file that the server reads: which criteria it speaks of, and what that does to them."""

import threading

import pytest

from pendesk.domain import limits
from pendesk.domain.errors import BadField, ClaimLost, RuleBroken
from pendesk.operations.building import upload_test_report
from pendesk.operations.building.upload_test_report import READERS
from pendesk.operations.registry import BUILDING, TOOLS
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
async def held(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, criteria=3)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"], agent_model="model-a")
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    await desk.call(ada, "report_commit", action_pid=action["pid"], sha=SHA, message="Add the form")
    return ada, action


def junit(*cases: str) -> str:
    return f'<?xml version="1.0" encoding="utf-16"?><testsuites><testsuite>{"".join(cases)}</testsuite></testsuites>'


def case(name: str, inside: str = "", classname: str = "tests.test_form") -> str:
    return f'<testcase classname="{classname}" name="{name}" time="0.01">{inside}</testcase>'


async def upload(desk, actor, action, content, form="junit", **more):
    return await desk.call(actor, "upload_test_report", action_pid=action["pid"], format=form, content=content, **more)


async def shown(desk, actor, action):
    whole = await desk.call(actor, "get_action", action_id=action["pid"])
    return [(one["status"], one["evidence"]["level"] if "evidence" in one else None) for one in whole["criteria"]]


async def test_passed_tests_validate_with_an_artifact_and_failed_ones_change_nothing(desk, held):
    ada, action = held
    first, second, third = action["criteria"]
    content = junit(
        case(f"test_{first.replace('-', '')}_shows_the_form"),
        case("test_ac_2_hashes", '<failure message="no"/>'),
        case("test_AC2_again"),
        case("test_ac3_later", "<skipped/>"),
        case("test_other"),
    )
    answer = await upload(desk, ada, action, content)
    assert answer["criteria"] == [
        {"criterionId": first, "outcome": "passed", "passed": 1, "failed": 0},
        {"criterionId": second, "outcome": "failed", "passed": 1, "failed": 1},
    ]
    assert (answer["tests"], answer["passed"], answer["failed"], answer["skipped"]) == (5, 3, 1, 1)
    assert (answer["unmapped"], answer["unmappedNames"]) == (1, ["tests.test_form::test_other"])
    assert answer["sha"] == SHA
    assert await shown(desk, ada, action) == [("validated", "artifact"), ("seen", None), ("seen", None)]
    whole = await desk.call(ada, "get_action", action_id=action["pid"])
    assert whole["criteria"][0]["evidence"]["sha"] == SHA
    assert {one["outcome"] for one in whole["testResults"]} == {"passed", "failed"}
    (event,) = await events_of(desk, ada, "test_report.uploaded")
    assert (event["data"]["passed"], event["data"]["unmapped"], event["agentModel"]) == (3, 1, "model-a")
    assert third in str(whole)


async def test_the_whole_id_anywhere_and_properties_count(desk, held):
    ada, action = held
    first, second, third = action["criteria"]
    content = junit(
        case("a", classname=f"spec {first}"),
        case("b", f'<properties><property name="criterion" value="{second}"/></properties>'),
        case(f"test_{third.replace('-', '_')}"),
    )
    await upload(desk, ada, action, content)
    assert await shown(desk, ada, action) == [("validated", "artifact")] * 3


async def test_the_beginning_of_an_id_counts_only_where_it_is_no_other_criterion(desk, held):
    ada, action = held
    first = action["criteria"][0]
    differ = next(at for at, digits in enumerate(zip(*action["criteria"], strict=True)) if len(set(digits)) > 1)
    shared = first[:differ]
    short = await upload(desk, ada, action, junit(case(f"test_{shared}_form"), case(f"x {shared[:8]}")))
    assert (short["criteria"], short["unmapped"]) == ([], 2)
    bare = first.replace("-", "")
    enough = await upload(desk, ada, action, junit(case(f"test_{bare[:20]}_form")))
    assert [one["criterionId"] for one in enough["criteria"]] == [first]


async def test_a_mapping_says_what_the_names_do_not(desk, held):
    ada, action = held
    first, second, _ = action["criteria"]
    content = junit(case("shows the form"), case("hashes (argon2)"), case("hashes (bcrypt)"))
    mapping = {"tests.test_form::shows the form": first, "*hashes (*)": second}
    answer = await upload(desk, ada, action, content, mapping=mapping)
    assert [(one["criterionId"], one["passed"]) for one in answer["criteria"]] == [(first, 1), (second, 2)]
    assert answer["unmapped"] == 0


async def test_another_actions_numbers_are_not_ours(desk, held):
    ada, action = held
    answer = await upload(desk, ada, action, junit(case("PEN-2 AC-1"), case("test_pen_1_ac_1")))
    assert (answer["unmapped"], len(answer["criteria"])) == (1, 1)


async def test_tap_and_the_tested_commit(desk, held):
    ada, action = held
    content = "TAP version 14\n1..2\nok 1 - AC-1 shows the form\nnot ok 2 - AC-2 hashes\n"
    answer = await upload(desk, ada, action, content, "tap", sha="F" * 40)
    assert answer["sha"] == "f" * 40
    assert await shown(desk, ada, action) == [("validated", "artifact"), ("seen", None), ("seen", None)]


async def test_an_artifact_outranks_a_claim_and_a_claim_later_does_not_hide_it(desk, held):
    ada, action = held
    await upload(desk, ada, action, junit(case("AC-1")))
    desk.clock.forward(1_000_000)
    await desk.call(
        ada,
        "report_test_result",
        action_pid=action["pid"],
        criterion_id=action["criteria"][0],
        outcome="passed",
    )
    assert (await shown(desk, ada, action))[0] == ("validated", "artifact")


async def test_repeating_with_a_key_records_once(desk, held):
    ada, action = held
    for _ in range(2):
        await upload(desk, ada, action, junit(case("AC-1")), idempotency_key="k")
    assert len(await events_of(desk, ada, "test_report.uploaded")) == 1


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (
            '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
            "junit",
        ),
        ('<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><testsuite/>', "junit"),
        ("<html/>", "junit"),
        ("not xml", "junit"),
        ("ok 1\n", "tap"),
        ("1..3\nok 1\n", "tap"),
        ("hello", "tap"),
    ],
)
async def test_what_is_no_report_is_refused_by_name_and_nothing_is_written(desk, held, content, form):
    ada, action = held
    with refused(BadField) as caught:
        await upload(desk, ada, action, content, form)
    assert caught.refusal.details["field"] == "content"
    assert await events_of(desk, ada, "test_report.uploaded") == []


async def test_a_report_without_tests_shows_nothing(desk, held):
    ada, action = held
    for content, form in (("<testsuites/>", "junit"), ("1..0 # nothing to do\n", "tap")):
        with refused(RuleBroken, "empty_report"):
            await upload(desk, ada, action, content, form)


async def test_an_unknown_criterion_in_the_mapping_is_refused(desk, held):
    ada, action = held
    with refused(RuleBroken, "unknown_criterion"):
        await upload(desk, ada, action, junit(case("a")), mapping={"a": action["pid"]})


async def test_only_the_holder_uploads_and_a_former_holders_totals_are_kept(desk, held):
    ada, action = held
    eve = await desk.person("Eve")
    with refused(RuleBroken, "not_claimed"):
        await desk.call(ada, "release_action", action_pid=action["pid"])
        await upload(desk, eve, action, junit(case("AC-1")))
    claimed = await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "release_action", action_pid=action["pid"])
    with refused(ClaimLost):
        await upload(desk, ada, action, junit(case("AC-1")), claim_id=claimed["claim"]["id"])
    (late,) = await events_of(desk, ada, "report.late")
    assert (late["data"]["report"], late["data"]["passed"]) == ("test_report.uploaded", 1)


def test_it_is_no_tool_for_agents():
    assert "upload_test_report" not in {operation.name for operation in TOOLS}
    assert len(BUILDING) == 13


async def test_a_long_report_is_read_once_and_in_a_thread(desk, held, monkeypatch):
    ada, action = held
    threads = []

    def read(content):
        threads.append(threading.current_thread())
        return READERS["tap"](content)

    monkeypatch.setattr(upload_test_report, "READERS", {"tap": read})
    monkeypatch.setattr(limits, "REPORT_SHORT_CHARS", 5)
    answer = await upload(desk, ada, action, "ok 1 - test_ac_1\n1..1\n", "tap")
    assert [tally["outcome"] for tally in answer["criteria"]] == ["passed"]
    assert len(await events_of(desk, ada, "test_report.uploaded")) == 1
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
