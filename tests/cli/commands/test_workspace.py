def test_it_is_shown_with_what_is_in_it(run, ask):
    ask("init", "--workspace", "Harbour", "--email", "ada@example.com")
    assert "pendesk demo" in run("workspace", "show").stdout
    ask("demo")
    ask("user", "add", "--name", "Bot", "--agent")
    ask("user", "invite", "eve@example.com")
    result = ask("workspace", "show")
    assert result.pop("workspaceId")
    assert result == {
        "name": "Harbour",
        "participation": "everyone",
        "members": {"owner": 1, "member": 1},
        "invited": 1,
        "projects": ["HRB"],
        "files": {"usedBytes": 0, "limitBytes": 20_000_000_000},
        "texts": {"usedBytes": 0, "limitBytes": 20_000_000_000},
    }
    assert "1 owner, 1 member" in run("workspace", "show").stdout


def test_who_takes_part_in_specs_is_chosen(run, ask):
    ask("init", "--email", "ada@example.com")
    assert "specs     everyone takes part" in run("workspace", "show").stdout
    assert ask("workspace", "participation", "invitation")["participation"] == "invitation"
    assert "specs     whoever is invited to one takes part" in run("workspace", "show").stdout


def test_who_may_not_invite_is_not_told_who_is_invited(ask):
    ask("init")
    ask("user", "add", "--name", "Bob", "--email", "bob@example.com")
    ask("user", "invite", "eve@example.com")
    assert ask("workspace", "show", "--as", "bob@example.com")["invited"] is None


def test_it_is_renamed_by_those_who_may(run, ask):
    ask("init")
    ask("user", "add", "--name", "Bob", "--email", "bob@example.com")
    assert "'Harbour & Sons'" in run("workspace", "rename", "Harbour & Sons").stdout
    assert ask("workspace", "show")["name"] == "Harbour & Sons"
    refused = run("workspace", "rename", "Bobs", "--as", "bob@example.com")
    assert refused.exit_code == 1
    assert "admin" in refused.stderr
