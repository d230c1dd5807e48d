import json

import click
import pytest
from click.testing import CliRunner

from pendesk import __version__
from pendesk.cli import COMMANDS, main


def test_every_command_has_help():
    output = CliRunner().invoke(main, ["--help"]).stdout
    assert "Exit codes: 0 success" in output
    for name in COMMANDS:
        assert name in output
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_quiet_leaves_out_the_next_steps(run):
    assert "Next" in run("init").stdout
    result = run("--quiet", "init")
    assert result.stdout.startswith("The workspace 'My workspace'")
    assert len(result.stdout.splitlines()) == 1
    run("user", "add", "--name", "Bob", "--email", "bob@example.com")
    for command in (["demo"], ["user", "add", "--name", "Eve", "--email", "eve@example.com"], ["backup"]):
        result = run(*command, "--quiet")
        assert (result.exit_code, len(result.stdout.splitlines())) == (0, 1), result.output


def test_did_you_mean(run):
    wrong = run("tokn")
    assert wrong.exit_code == 2
    assert "token" in wrong.stderr


def test_version(run):
    assert run("--version").stdout == f"pendesk, version {__version__}\n"


def test_options_stand_before_or_after_the_command(run, data, tmp_path):
    for arguments in (
        ["--data", str(tmp_path / "a"), "--json", "init"],
        ["init", "--json", "--data", str(tmp_path / "b")],
    ):
        result = json.loads(run(*arguments).stdout)
        assert result["data"] == arguments[arguments.index("--data") + 1]
    assert not data.exists()


def test_a_wrong_setting_is_named(run, monkeypatch):
    monkeypatch.setenv("PENDESK_PORT", "x")
    wrong = run("init")
    assert wrong.exit_code == 1
    assert "PENDESK_PORT" in wrong.stderr
    assert json.loads(run("--json", "init").stderr)["error"]["code"] == "cannot_start"


def test_a_refusal_in_json_is_the_one_error_body(run):
    run("init")
    refused = run("user", "remove", "nobody@example.com", "--json")
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert json.loads(refused.stderr)["error"]["status"] == 404


def test_a_failure_in_json_has_the_same_form(run):
    failed = run("token", "list", "--json")
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert "pendesk init" in json.loads(failed.stderr)["error"]["message"]


@pytest.mark.parametrize("line", ["--json nope", "nope --json", "connect --json --nope", "token create --json"])
def test_wrong_usage_in_json_has_the_same_form(run, line):
    wrong = run(*line.split())
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert json.loads(wrong.stderr)["error"]["code"] == "usage"


def test_json_is_understood_everywhere():
    def each(command, path):
        yield path, command
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            for name in command.list_commands(ctx):
                yield from each(command.get_command(ctx, name), [*path, name])

    for path, command in each(main, ["pendesk"]):
        assert "--json" in {option for param in command.params for option in param.opts}, path


def test_another_secret_is_explained(run, monkeypatch):
    run("init")
    monkeypatch.setenv("PENDESK_SECRET_KEY", "z" * 40)
    wrong = run("token", "list")
    assert wrong.exit_code == 1
    assert "secret.key" in wrong.stderr


def test_a_database_out_of_reach_is_explained(run, monkeypatch):
    monkeypatch.setenv("PENDESK_DATABASE_URL", "postgresql://nobody:hunter2@127.0.0.1:1/none")
    for command in (["init"], ["serve", "--port", "0"], ["migrate"], ["user", "list"], ["backup"]):
        wrong = run(*command)
        assert wrong.exit_code == 1
        assert len(wrong.stderr.splitlines()) == 1
        assert "Connection refused" in wrong.stderr
        assert "database_url" in wrong.stderr
        assert "hunter2" not in wrong.stderr


def test_a_password_that_cannot_be_read_is_not_printed(run, monkeypatch):
    monkeypatch.setenv("PENDESK_DATABASE_URL", "postgresql://nobody:hunt%er2@127.0.0.1:1/none")
    for command in (["serve", "--port", "0"], ["user", "list"], ["doctor"]):
        wrong = run(*command)
        assert wrong.exit_code == 1
        assert "%25" in wrong.output
        assert "hunt" not in wrong.output


@pytest.mark.parametrize("check", [True, False])
def test_migrate(run, data, check):
    assert run("migrate", "--check").exit_code == 1
    assert not data.exists()
    assert "0001_core" in run("migrate").stdout
    assert run("migrate", "--check").stdout == "Pending: nothing.\n"
