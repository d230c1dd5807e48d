"""pendesk share: links are printed alone and once; the other server's token comes from stdin only."""

from tests.clients.running import running


def test_a_link_is_made_listed_and_ended(run, ask):
    ask("init")
    ask("demo")
    link = run("share", "create", "HRB", "--takes-items", "--expires", "30d").stdout.strip()
    assert "/share/pendesk_shr_" in link
    (created,) = ask("share", "list", "HRB")["shares"]
    assert (created["state"], created["takesItems"]) == ("open", True)
    output = run("share", "list", "HRB").stdout
    assert created["shareId"] in output
    assert link.rpartition("/")[2] not in output
    assert "no longer works" in run("share", "revoke", created["shareId"]).stdout
    assert ask("share", "list", "HRB")["shares"][0]["state"] == "ended"


def test_a_project_is_published_pushed_and_pulled(run, ask, tmp_path, monkeypatch):
    ask("init")
    ask("demo")
    with running(tmp_path / "there") as other_server:
        token = other_server.person("create_token", name="sync", scopes=["desk.write"])["token"]
        refused = run("share", "publish", "HRB", "--to", other_server.url, stdin=token)
        assert "outgoing_private_addresses" in refused.stderr
        monkeypatch.setenv("PENDESK_OUTGOING_PRIVATE_ADDRESSES", "on")
        assert "on stdin" in run("share", "publish", "HRB", "--to", other_server.url, stdin="").stderr
        link = run("share", "publish", "HRB", "--to", other_server.url, stdin=f"{token}\n")
        assert link.stdout.startswith(f"{other_server.url}/share/pendesk_shr_")
        assert "No changes to send" in run("share", "push", "HRB").stdout
        assert "0 new guest requests" in run("share", "pull", "HRB").stdout
    assert "no answer" in run("share", "pull", "HRB").stderr
