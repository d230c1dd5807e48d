"""pendesk share: links are printed alone and once; the other server's token comes from stdin only."""

from tests.clients.running import running


def test_a_link_is_made_listed_and_ended(run, ask):
    ask("init")
    ask("demo")
    link = run("share", "create", "HRB", "--takes-items", "--expires", "30d").stdout.strip()
    assert "/share/pendesk_shr_" in link
    (made,) = ask("share", "list", "HRB")["shares"]
    assert (made["state"], made["takesItems"]) == ("open", True)
    shown = run("share", "list", "HRB").stdout
    assert made["shareId"] in shown
    assert link.rpartition("/")[2] not in shown
    assert "leads nowhere" in run("share", "revoke", made["shareId"]).stdout
    assert ask("share", "list", "HRB")["shares"][0]["state"] == "ended"


def test_a_project_is_published_pushed_and_pulled(run, ask, tmp_path, monkeypatch):
    ask("init")
    ask("demo")
    with running(tmp_path / "there") as there:
        token = there.person("create_token", name="sync", scopes=["desk.write"])["token"]
        refused = run("share", "publish", "HRB", "--to", there.url, stdin=token)
        assert "outgoing_private_addresses" in refused.stderr
        monkeypatch.setenv("PENDESK_OUTGOING_PRIVATE_ADDRESSES", "on")
        assert "on stdin" in run("share", "publish", "HRB", "--to", there.url, stdin="").stderr
        link = run("share", "publish", "HRB", "--to", there.url, stdin=f"{token}\n")
        assert link.stdout.startswith(f"{there.url}/share/pendesk_shr_")
        assert "nothing was sent" in run("share", "push", "HRB").stdout
        assert "0 new in the inbox" in run("share", "pull", "HRB").stdout
    assert "no answer" in run("share", "pull", "HRB").stderr
