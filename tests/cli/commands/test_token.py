import pytest

from pendesk.domain import token
from pendesk.domain.access import TOOL_SETS


def test_the_token_alone_is_printed(run, ask):
    run("init")
    result = run("token", "create", "--name", "Claude Code")
    assert token.has_token_format(result.stdout.removesuffix("\n"))
    assert result.stderr == ""
    listed = ask("token", "list")["tokens"]
    assert [(row["name"], row["scopes"]) for row in listed] == [("Claude Code", ["specs.read", "builds.write"])]
    assert result.stdout.strip() not in run("token", "list").stdout


def test_scopes_expiry_and_revocation(run, ask):
    ask("init")
    token = ask("token", "create", "--name", "x", "--scope", "desk.read", "--scope", "specs.read", "--expires", "90d")
    assert token["scopes"] == ["specs.read", "desk.read"]
    assert token["expiresAt"]
    assert "Revoked 'x'" in run("token", "revoke", token["tokenId"]).stdout
    assert ask("token", "list")["tokens"][0]["state"] == "revoked"
    assert run("token", "revoke", "nothing").exit_code == 1


def test_a_token_for_an_agents_account(ask):
    ask("init")
    bot = ask("user", "add", "--name", "Bot", "--agent")
    token = ask("token", "create", "--name", "x", "--user", bot["userId"])
    assert token["userId"] == bot["userId"]


@pytest.mark.parametrize(
    "arguments", [[], ["--name", "x", "--scope", "person"], ["--name", "x", "--expires", "soon"], ["--nmae", "x"]]
)
def test_wrong_usage_exits_2(run, arguments):
    run("init")
    assert run("token", "create", *arguments).exit_code == 2


def test_it_needs_something_to_work_on(run, data):
    nothing = run("token", "list")
    assert nothing.exit_code == 1
    assert "pendesk init" in nothing.stderr
    assert not data.exists()


def test_acting_as_a_member_has_that_members_rights(run, ask):
    ask("init", "--email", "ada@example.com")
    ask("user", "add", "--name", "Bob", "--email", "bob@example.com")
    assert run("token", "create", "--name", "x", "--as", "bob@example.com").exit_code == 0
    refused = run("token", "create", "--name", "x", "--as", "bob@example.com", "--user", "ada@example.com")
    assert refused.exit_code == 1
    assert "cannot make a token" in refused.stderr
    assert run("token", "list", "--as", "eve@example.com").exit_code == 1


def test_the_tools_of_a_token_are_named_in_one_word(run, ask):
    ask("init")
    scopes = {tools: ask("token", "create", "--name", "x", "--tools", tools)["scopes"] for tools in TOOL_SETS}
    assert scopes["build"] == ["specs.read", "builds.write"]
    assert scopes["plan"] == ["desk.read", "desk.write", "specs.write"]
    assert scopes["all"] == [*scopes["build"], *scopes["plan"]]
    assert run("token", "create", "--name", "x", "--tools", "all", "--scope", "desk.read").exit_code == 2
    listed = run("token", "list").stdout
    assert "plan" in listed
