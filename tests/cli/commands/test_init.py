import stat

from pendesk.cli.parts.console import Console
from pendesk.cli.parts.local import run_locally
from tests.callers import start_session


def test_it_makes_a_workspace_once_and_prints_the_next_command(run, data):
    first = run("init", "--email", "Ada@Example.com", "--name", "Ada", "--workspace", "Harbour")
    assert first.exit_code == 0
    assert "Created the workspace 'Harbour'" in first.stdout
    assert "Next: pendesk serve" in first.stdout
    assert "/sign-in?code=" in first.stdout
    second = run("init", "--email", "other@example.com", "--workspace", "Other")
    assert "The workspace 'Harbour'" in second.stdout
    members = run("--json", "user", "list").stdout
    assert "ada@example.com" in members
    assert "other@example.com" not in members


def test_once_somebody_has_signed_in_it_names_the_command_that_makes_a_link(run, ask):
    """A script that runs it at every start would leave a way in in its log, each time."""
    code = ask("init")["signIn"].partition("code=")[2]

    async def use(local):
        return await start_session(local.service.dispatcher, code)

    assert run_locally(Console(), use)
    second = run("init")
    assert "`pendesk user link`" in second.stdout
    assert "code=" not in second.stdout
    assert ask("init")["signIn"] is None


def test_nobody_else_can_read_the_data_folder(run, data):
    run("init")
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for file in data.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0


def test_a_password_comes_from_stdin(run, ask):
    result = run("init", "--email", "ada@example.com", "--password-stdin", stdin="correct horse battery\n")
    assert result.exit_code == 0
    assert "/sign-in" not in result.stdout
    assert ask("user", "list")["members"][0]["hasPassword"] is True


def test_a_bad_email_or_password_is_refused(run):
    assert run("init", "--email", "nonsense").exit_code == 1
    short = run("init", "--password-stdin", stdin="short")
    assert short.exit_code == 1
    assert "password" in short.stderr
    assert "short\n" not in short.stderr


def test_json(ask, data):
    result = ask("init", "--name", "Ada")
    assert (result["new"], result["owner"], result["data"], result["next"]) == (True, "Ada", str(data), "pendesk serve")
    assert ask("init")["new"] is False
