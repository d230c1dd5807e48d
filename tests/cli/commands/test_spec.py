"""spec: who takes part in one."""


def test_a_spec_is_shared_with_a_member_by_email_or_id(run, ask):
    ask("init", "--email", "ada@example.com")
    bob = ask("user", "add", "--name", "Bob", "--email", "bob@example.com")
    bot = ask("user", "add", "--name", "Bot", "--agent")
    ask("demo")
    spec = ask("spec", "list", "HRB")["specs"][0]["pid"]
    shared = ask("spec", "share", spec, "Bob@example.com")["participants"]
    assert bob["userId"] in [participant["userId"] for participant in shared]
    assert "Bot" in run("spec", "share", spec, bot["userId"]).stdout
    refused = run("spec", "share", spec, "eve@example.com")
    assert (refused.exit_code, "pendesk user list" in refused.stderr) == (1, True)
