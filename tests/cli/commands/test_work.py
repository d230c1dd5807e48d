"""work: the tools as commands, made from their inputs."""

import pkgutil

import pytest

from pendesk.cli.commands.work import FILE_COMMAND, NOT_TOOLS, ToolGroup, work
from pendesk.operations import building
from pendesk.operations.registry import OPERATIONS, TOOLS

SHA = "a" * 40


def test_every_tool_is_a_command_and_nothing_else_is(run):
    names = {operation.name for operation in TOOLS}
    tools = ToolGroup()
    modules = {module.name for module in pkgutil.iter_modules(building.__path__)}
    candidates = modules | {operation.name for operation in OPERATIONS}
    assert {name for name in candidates if tools.get_command(None, name)} == names | {FILE_COMMAND}  # type: ignore[arg-type]
    assert set(NOT_TOOLS) <= {operation.name for operation in OPERATIONS} - names
    for name in names:
        assert run("work", name, "--help").exit_code == 0
    assert work.name == "work"


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("claim-acton", "Nearest: claim_action"),
        ("submit", "Nearest: submit_for_review"),
        ("zzz", "work --help lists them"),
    ],
)
def test_a_tool_that_never_was_is_answered_with_the_nearest_as_over_mcp(run, typed, advice):
    result = run("work", typed)
    assert (result.exit_code, advice in result.stderr) == (2, True), result.stderr


@pytest.fixture
def ref(server, repo, ask):
    created = server.work().actions[0]
    ask("connect", "--project", created["refCode"].split("-")[0])
    return created["refCode"]


def test_an_action_is_built_from_the_shell(ref, run, ask):
    assert ref in run("work", "list_available_specs").stdout
    assert ask("work", "claim_action", ref, "--agent-model", "shell-1")["status"] == "started"
    brief = ask("work", "get-action-brief", ref)
    criteria = [criterion["id"] for criterion in brief["action"]["acceptanceCriteria"]]
    named = [word for ident in criteria for word in ("--criterion-ids", ident)]
    assert ask("work", "report_commit", ref, "--sha", SHA, "--message", "-", *named, stdin="First\n")["recorded"]
    for ident in criteria:
        ask("work", "report_test_result", ref, "--criterion-id", ident, "--outcome", "passed")
    result = [word for ident in criteria for word in ("--evidence", f"{ident}=12/12 passed, a=b")]
    submit = ["work", "submit_for_review", ref, "--pr-url", "https://example.com/pr/1", "--summary", "Done"]
    assert ask(*submit, *result)["status"] == "in-review"


def test_a_brief_begins_with_what_to_do_and_is_not_repeated(ref, run, ask, monkeypatch):
    monkeypatch.setenv("PENDESK_SESSION", "left")
    first = run("work", "get_action_brief", ref).stdout.splitlines()
    assert first[:2] == [
        "availability: free",
        f"next_step: Free: claim {ref} with claim_action before you change anything.",
    ]
    ask("work", "claim_action", ref)
    rev = ask("work", "get_action_brief", ref)["briefRev"]
    again = run("work", "get_action_brief", ref, "--brief-rev", rev).stdout
    assert again.startswith(f"availability: mine\nnext_step: You hold {ref} until ")
    assert "unchanged: yes" in again
    assert "approach" not in again
    assert "of: plan.approach" in run("work", "get_action_brief", ref, "--rest", "plan.approach").stdout


def test_requested_changes_are_answered_from_the_shell(server, ref, ask, run):
    ask("work", "claim_action", ref)
    submission = ["--pr-url", "https://example.com/pr/1", "--summary", "Done"]
    ask("work", "submit_for_review", ref, *submission)
    remarks = {"verdict": "changes_requested", "summary": "Nearly.", "items": [{"text": "Name it."}]}
    server.person("review_action", action_pid=ref, **remarks)
    (item,) = ask("work", "get_action_brief", ref)["review"]["items"]
    resubmit = ["work", "resubmit_for_review", ref, *submission, "--dispositions"]
    assert "itemId=disposition=note" in run(*resubmit, f"{item['id']}=fixed").stderr
    ask(*resubmit, f"{item['id']}=fixed=In a=b now.")
    (item,) = server.person("get_review", action_id=ref)["reviews"][0]["items"]
    assert (item["disposition"], item["note"]) == ("fixed", "In a=b now.")


def test_a_log_is_attached_and_a_branch_submitted_from_the_shell(server, ref, run, ask, tmp_path):
    log = tmp_path / "run.log"
    log.write_text("12 passed\n")
    upload = ["work", "attach_evidence", ref, "--file", str(log), "--criterion-id"]
    assert "claim" in run(*upload, "x").stderr
    ask("work", "claim_action", ref)
    first, second = (
        criterion["id"] for criterion in ask("work", "get_action_brief", ref)["action"]["acceptanceCriteria"]
    )
    attached = ask(*upload, first)
    assert (attached["name"], attached["sizeBytes"], attached["criterionId"]) == ("run.log", 10, first)
    ask("work", "report_test_result", ref, "--criterion-id", second, "--outcome", "failed")
    submit = ["work", "submit_for_review", ref, "--summary", "Done", "--branch", "main", "--head-sha", SHA]
    assert second in run(*submit).stderr
    assert ask(*submit, "--unmet", f"{second}=The service is down.")["status"] == "in-review"
    traces = server.person("get_review", action_id=ref)["criteria"]
    assert [(trace["id"], trace.get("unmet"), len(trace.get("files", []))) for trace in traces] == [
        (second, "The service is down.", 0),
        (first, None, 1),
    ]


def test_a_terminal_takes_over_from_another_by_a_flag(ref, run, ask, monkeypatch):
    monkeypatch.setenv("PENDESK_SESSION", "left")
    ask("work", "claim_action", ref)
    monkeypatch.setenv("PENDESK_SESSION", "right")
    assert "another session of yours" in run("work", "claim_action", ref).stderr
    assert ask("work", "claim_action", "--take-over", ref)["claim"]["fence"] == 2


def test_a_refusal_of_several_fields_lists_them(ref, run):
    refused = run("work", "report_commit", ref, "--sha", SHA, "--message", "x" * 5_000, "--criterion-ids", "c" * 65)
    _, *faults = [line.strip().split(":")[0] for line in refused.stderr.splitlines()]
    assert (refused.exit_code, sorted(faults)) == (1, ["criterion_ids[0]", "message"])


def test_refusals_and_wrong_usage(ref, run):
    refused = run("work", "update_progress", ref, "--status", "started", "--message", "x")
    assert refused.exit_code == 1
    assert "claim" in refused.stderr
    assert run("work", "update_progress", ref, "--status", "finished", "--message", "x").exit_code == 2
    assert run("work", "report_commit", ref).exit_code == 2
    bad = run("work", "submit_for_review", ref, "--pr-url", "x", "--summary", "x", "--evidence", "no pair")
    assert bad.exit_code == 1
    assert "criterionId=evidence" in bad.stderr
    assert "claim_action" in run("work", "claim_actoin").stderr
    assert run("work", "get_context").exit_code == 2


def test_help_says_which_words_an_entry_takes(run):
    printed = " ".join(run("work", "resubmit_for_review", "--help").stdout.split())
    assert "itemId=disposition=note, or JSON; may be repeated. disposition: declined, deferred, fixed." in printed


def test_it_needs_a_server(repo, run):
    refused = run("work", "list_available_specs")
    assert refused.exit_code == 1
    assert "pendesk connect" in refused.stderr
