"""change push: the change of a branch reaches the server, by itself and with a submission."""

import json

import pytest

from tests.cli.conftest import commit, git

TOKEN = "ghp" + "_q8Zr3TkVw0LmXc5YbN7hJd2FgS9pRtUaKe4W"


@pytest.fixture
def ref(server, repo, ask, monkeypatch):
    """An action, held by the terminal; the repository is connected, and on a branch with one commit."""
    server.expire_claims()  # of the tests before, which hold as many as one may
    created = server.work().actions[0]
    git(repo, "branch", "-qM", "main")
    ask("connect", "--project", created["refCode"].split("-")[0])
    commit(repo)
    git(repo, "checkout", "-qb", "work")
    (repo / "app.py").write_text("one\ntwo\n")
    commit(repo)
    monkeypatch.setenv("PENDESK_SESSION", created["refCode"])
    ask("work", "claim_action", created["refCode"])
    return created["refCode"]


def head(repo):
    return git(repo, "rev-parse", "HEAD").strip()


def shown(server, ref):
    return server.person("get_change", action_id=ref)


def test_a_change_is_pushed_and_shown_with_the_submission_of_its_head(server, repo, ref, run, ask):
    pushed = ask("change", "push")
    assert (pushed["refCode"], pushed["files"], pushed["added"], pushed["headSha"]) == (ref, 1, 2, head(repo))
    assert (pushed["branch"], pushed["tooLarge"], pushed["leftOff"], pushed["notCommitted"]) == ("work", [], 0, [])
    printed = run("change", "push", ref)
    assert printed.stdout.startswith(f"Pushed the change of {ref}: 1 file, +2 -0, ")
    assert "submit_for_review" in printed.stdout
    assert len(run("change", "push", "--quiet").stdout.splitlines()) == 1
    ask("work", "submit_for_review", ref, "--branch", "work", "--head-sha", head(repo), "--summary", "Done")
    assert shown(server, ref)["change"]["submissionNumber"] == 1


def test_uncommitted_work_is_named_and_stays_here(server, repo, ref, run):
    (repo / "app.py").write_text("three\n")
    (repo / "draft.py").write_text("x\n")
    result = run("change", "push")
    assert result.exit_code == 0
    assert "Not committed, so not in the change: app.py, draft.py." in result.stderr
    assert shown(server, ref)["change"]["added"] == 2


def test_secrets_are_refused_by_place_and_shape_and_never_printed(server, repo, ref, run, ask):
    (repo / "settings.py").write_text(f"A = 1\nKEY = '{TOKEN}'\n")
    commit(repo)
    for result in (run("change", "push"), run("--json", "change", "push")):
        assert result.exit_code == 1
        assert "settings.py:2: GitHub token" in result.stderr
        assert "--without PATH" in result.stderr
        assert TOKEN not in result.output
    assert "change" not in shown(server, ref)
    assert ask("change", "push", "--without", "settings.py")["leftOut"] == ["settings.py"]
    settings = shown(server, ref)["files"][1]
    assert (settings["path"], settings["omitted"], settings["added"]) == ("settings.py", "left_out", 2)


def test_work_on_the_same_files_is_named_when_it_is_pushed_and_when_it_is_submitted(repo, ref, run, ask, monkeypatch):
    """By another session of the same user, with the same branch."""
    other = ref.removesuffix("1") + "2"
    ask("change", "push", ref)
    monkeypatch.setenv("PENDESK_SESSION", other)
    ask("work", "claim_action", other)
    assert "overlaps:\n" in run("change", "push").stdout
    result = run("--json", "work", "submit_for_review", other, "--pr-url", "https://example.com/2", "--summary", "Done")
    assert json.loads(result.stdout)["status"] == "in-review"
    assert f"overlaps:\n  - refCode: {ref}" in result.stderr


def test_submitting_pushes_first_and_what_is_new_is_compared(server, repo, ref, run, ask):
    submission = ["--pr-url", "https://example.com/pr/1", "--summary", "Done"]
    result = run("work", "submit_for_review", ref, *submission)
    assert result.stdout.startswith(f"Pushed the change of {ref}: 1 file, +2 -0, ")
    assert shown(server, ref)["change"]["submissionNumber"] == 1
    remarks = {"verdict": "changes_requested", "summary": "Nearly.", "items": [{"text": "Name it."}]}
    server.person("review_action", action_pid=ref, **remarks)
    before = head(repo)
    (repo / "app.py").write_text("one\ntwo\nthree\n")
    commit(repo)
    ask("work", "resubmit_for_review", ref, *submission)
    change = shown(server, ref)["change"]
    assert (change["submissionNumber"], change["headSha"], change["sinceSha"]) == (2, head(repo), before)
    since = server.person("get_change_file", action_id=ref, position=0, part="since")
    assert since["hunks"][0]["lines"] == [" one", " two", "+three"]


@pytest.mark.parametrize("reason", ["secret", "base", "other head", "option", "folder"])
def test_a_submission_goes_on_without_a_change_and_says_why(server, repo, ref, run, monkeypatch, tmp_path, reason):
    options = ["--pr-url", "https://example.com/pr/1", "--summary", "Done"]
    expected = {"secret": "app.py:1: GitHub token", "base": "--base COMMIT", "other head": f"HEAD is {head(repo)[:12]}"}
    if reason == "secret":
        (repo / "app.py").write_text(f"{TOKEN}\n")
        commit(repo)
    elif reason == "base":
        git(repo, "checkout", "-q", "main")
    elif reason == "other head":
        options += ["--head-sha", "a" * 40]
    elif reason == "option":
        options.append("--no-change")
    else:
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(repo))
        monkeypatch.chdir(tmp_path)
    result = run("--json", "work", "submit_for_review", ref, *options)
    assert json.loads(result.stdout)["status"] == "in-review"
    assert expected.get(reason, "") in result.stderr
    assert ("change was not pushed" in result.stderr) == (reason in expected)
    assert TOKEN not in result.output
    assert "change" not in shown(server, ref)


def test_an_action_has_to_be_named_where_it_is_not_plain(repo, ref, run, ask):
    other = ref.removesuffix("1") + "2"
    ask("work", "claim_action", other)
    result = run("change", "push")
    assert (result.exit_code, f"You hold {ref}, {other}. Name the action" in result.stderr) == (1, True)
    submission = ["--branch", "work", "--head-sha", head(repo), "--summary", "Done", "--no-change"]
    ask("work", "submit_for_review", other, *submission)
    assert ask("change", "push")["refCode"] == ref
    assert ask("change", "push", other)["submissionNumber"] == 1
    ask("work", "submit_for_review", ref, *submission)
    assert "You hold no action here" in run("change", "push").stderr


def test_refusals_say_what_to_do(repo, ref, run, tmp_path, monkeypatch):
    assert "no such commit" in run("change", "push", "--base", "nothing").stderr
    assert "no such file" in run("change", "push", "--without", "nothing").stderr
    assert "NOPE-1" in run("change", "push", "NOPE-1").stderr
    assert "is not in a git repository" in run("change", "push", "--repo", str(tmp_path)).stderr
    assert "is not a folder" in run("change", "push", "--repo", str(tmp_path / "nothing")).stderr
    monkeypatch.setenv("PENDESK_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PENDESK_MCP_TOKEN", "x")
    assert "does not answer" in run("change", "push", ref).stderr
