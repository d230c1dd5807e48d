import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def crew(ask):
    ask("init", "--email", "ada@example.com", "--name", "Ada")
    ask("user", "add", "--name", "Bob", "--email", "bob@example.com")


def test_members_are_added_listed_changed_and_removed(run, ask, crew):
    assert "Bob is admin now." in run("user", "role", "bob@example.com", "admin").stdout
    assert "bob@example.com" in run("user", "list").stdout
    assert "Removed Bob" in run("user", "remove", "bob@example.com", "--yes").stdout
    assert [member["name"] for member in ask("user", "list")["members"]] == ["Ada"]


def test_the_last_owner_stays(run, crew):
    refused = run("user", "remove", "ada@example.com", "--yes")
    assert refused.exit_code == 1
    assert "last owner" in refused.stderr


def test_a_link_alone_is_printed(run, crew):
    for member in ([], ["bob@example.com"]):
        link = run("user", "link", *member).stdout
        assert link.startswith("http://127.0.0.1:3847/sign-in?code=")
        assert link.count("\n") == 1


def test_the_public_url_is_used(run, crew, monkeypatch):
    monkeypatch.setenv("PENDESK_PUBLIC_URL", "https://pendesk.example.com")
    assert run("user", "link").stdout.startswith("https://pendesk.example.com/sign-in?code=")


def test_a_password_is_never_asked_for_without_a_terminal(run, ask, crew):
    refused = run("user", "password")
    assert refused.exit_code == 1
    assert "--password-stdin" in refused.stderr
    assert run("user", "password", "bob@example.com", "--password-stdin", stdin="correct horse\n").exit_code == 0
    assert [member.get("hasPassword", False) for member in ask("user", "list")["members"]] == [False, True]


def test_terminal_escapes_in_names_are_not_printed(run, ask, crew):
    ask("user", "add", "--name", "Eve\u202e\u009b31m", "--agent")
    output = run("user", "list").stdout
    assert "\u202e" not in output
    assert "\u009b" not in output


def test_an_invite_is_a_link_alone(run, ask, crew):
    link = run("user", "invite", "eve@example.com", "--role", "viewer").stdout
    assert link.startswith("http://127.0.0.1:3847/invite?code=")
    assert link.count("\n") == 1
    assert ask("user", "invite", "eve@example.com")["role"] == "member"
    assert "member already" in run("user", "invite", "bob@example.com").stderr


def test_invites_are_listed_without_their_links_and_taken_back(run, ask, crew):
    assert run("user", "invites").stdout == "There are no open invites.\n"
    created = ask("user", "invite", "eve@example.com", "--role", "viewer")
    listed = run("user", "invites").stdout
    assert "eve@example.com" in listed
    assert "code=" not in listed
    assert "no longer join" in run("user", "uninvite", created["inviteId"]).stdout
    assert ask("user", "invites")["invites"] == []


@pytest.fixture
def mara(ask, crew):
    """An admin with an agent that has a token."""
    ask("user", "add", "--name", "Mara", "--email", "mara@example.com", "--role", "admin")
    by_mara = ("--as", "mara@example.com")
    agent = ask("user", "add", "--name", "Bot", "--agent", *by_mara)["userId"]
    return ask("token", "create", "--name", "CI", "--user", agent, *by_mara)["tokenId"]


def test_a_removal_is_not_done_without_a_terminal_or_a_yes(run, ask, mara):
    refused = run("user", "remove", "mara@example.com")
    assert (refused.exit_code, "--yes" in refused.stderr) == (1, True)
    assert "Mara" in run("user", "list").stdout


def test_what_a_member_owns_ends_with_them(run, ask, mara):
    output = run("user", "remove", "mara@example.com", "--yes").stdout
    assert "Removed Mara" in output
    assert "Ended: agent account Bot (1 token)" in output
    assert [token["state"] for token in ask("token", "list")["tokens"]] == ["revoked"]


def test_what_a_member_owns_is_handed_over(run, ask, mara):
    refused = run("user", "remove", "mara@example.com", "--yes", "--hand-over-to", "bob@example.com")
    assert (refused.exit_code, "admin or above" in refused.stderr) == (1, True)
    output = run("user", "remove", "mara@example.com", "--yes", "--hand-over-to", "ada@example.com").stdout
    assert "Handed over: agent account Bot (1 token)" in output
    assert "Mara has seen the secrets" in output
    (token,) = ask("token", "list")["tokens"]
    assert (token["state"], token["ownerName"], token["createdByName"]) == ("active", "Ada", "Mara")
    assert "Ada" in next(line for line in run("user", "list").stdout.splitlines() if "Bot" in line)


def test_a_lower_role_is_given_with_a_decision(run, ask, mara):
    refused = run("user", "role", "mara@example.com", "viewer")
    assert (refused.exit_code, "1 agent account" in refused.stderr) == (1, True)
    output = run("user", "role", "mara@example.com", "viewer", "--end-owned").stdout
    assert output == "Mara is viewer now.\n  Ended: agent account Bot (1 token)\n"


@pytest.mark.parametrize(("typed", "remaining"), [("n", ["Ada", "Bob", "Mara", "Bot"]), ("y", ["Ada", "Bob"])])
def test_in_a_terminal_it_is_shown_and_confirmed(data, ask, mara, typed, remaining):
    with Terminal(data, "user", "remove", "mara@example.com") as terminal:
        seen = terminal.until("Remove Mara? [y/N]:")
        assert "They own 1 agent account:" in seen
        assert "Ends: agent account Bot (1 token)" in seen
        assert "--hand-over-to" in seen
        terminal.answer(typed)
    assert [member["name"] for member in ask("user", "list")["members"]] == remaining


def test_a_link_for_a_server_that_does_not_run_says_so(run, monkeypatch):
    run("init")
    created = run("user", "link")
    assert "/sign-in?code=" in created.stdout
    assert "No server runs for this data folder" in created.stderr
    monkeypatch.setenv("PENDESK_PUBLIC_URL", "https://pendesk.example.com")
    assert run("user", "link").stderr == ""
