import json
import socket

import apsw
import pytest


@pytest.fixture
def checks(run):
    def checks(*arguments):
        result = run("doctor", "--json", *arguments)
        told = json.loads(result.stdout)
        assert told["healthy"] == (result.exit_code == 0)
        return result.exit_code, {each["name"]: each for each in told["checks"] if each["state"] != "ok"}

    return checks


@pytest.fixture
def port(monkeypatch):
    """A free port, so that a server on the usual one does not matter."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    monkeypatch.setenv("PENDESK_PORT", str(free))
    return free


def test_nothing_there(checks, data, port):
    code, wrong = checks()
    assert code == 1
    assert set(wrong) == {"data folder", "secret", "database"}
    assert all(each["fix"] for each in wrong.values())
    assert not data.exists()


def test_healthy(run, checks, port):
    run("init")
    assert checks() == (0, {})
    assert checks("--full") == (0, {})


def test_every_setting_is_told_with_its_source(run, port):
    run("init")
    told = json.loads(run("doctor", "--json").stdout)["settings"]
    assert told["port"] == {"shown": str(port), "source": "PENDESK_PORT"}
    assert told["host"]["source"] == "default"


def test_open_rights_are_found(run, checks, data, port):
    run("init")
    data.chmod(0o755)
    (data / "secret.key").chmod(0o644)
    code, wrong = checks()
    assert code == 1
    assert set(wrong) == {"data folder", "private files"}
    assert "chmod 700" in wrong["data folder"]["fix"]


def test_another_secret_is_found(run, checks, data, port):
    run("init")
    (data / "secret.key").write_text("0" * 64)
    assert set(checks()[1]) == {"secret"}
    (data / "secret.key").write_text("")
    assert "backup" in checks()[1]["secret"]["fix"]


def test_pending_migrations_and_a_newer_database_are_found(run, checks, data, port):
    run("init")
    connection = apsw.Connection(str(data / "pendesk.sqlite3"))
    connection.execute("DELETE FROM schema_migrations WHERE version > 1")
    assert "pendesk migrate" in checks()[1]["migrations"]["fix"]
    connection.execute("INSERT INTO schema_migrations VALUES (9999, 'future')")
    assert "newer" in checks()[1]["migrations"]["fix"]
    connection.close()


def test_a_corrupt_database_exits_2(run, checks, data, port):
    run("init")
    file = data / "pendesk.sqlite3"
    content = bytearray(file.read_bytes())
    for start in range(8192, len(content) - 4096, 4096):
        content[start : start + 512] = b"\xde" * 512
    file.write_bytes(content)
    code, wrong = checks()
    assert code == 2
    assert wrong["database"]["state"] == "corrupt"
    file.write_bytes(b"this is no database, but it is long enough to look like one" * 100)
    assert checks()[0] == 2


def test_a_taken_port_is_found(run, checks, port):
    run("init")
    with socket.create_server(("127.0.0.1", port)):
        assert "--port 0" in checks()[1]["server"]["fix"]


def test_a_server_that_does_not_answer_is_found(run, checks, data, port):
    import os

    run("init")
    told = {"url": f"http://127.0.0.1:{port}", "pid": os.getpid(), "port": port}
    (data / "server.json").write_text(json.dumps(told))
    (data / "server.json").chmod(0o600)
    assert "does not answer" in checks()[1]["server"]["told"]
    (data / "server.json").write_text(json.dumps({**told, "pid": 2**22 + 1}))
    assert checks() == (0, {})


def test_a_clock_that_went_back_is_found(run, checks, port, monkeypatch):
    run("init")
    monkeypatch.setattr("pendesk.clock.now", lambda: 1_600_000_000_000_000)
    assert "NTP" in checks()[1]["clock"]["fix"]


def test_a_full_disk_is_found(run, checks, port, monkeypatch):
    run("init")
    monkeypatch.setattr("pendesk.cli.checks.LEAST_FREE_BYTES", 10**18)
    assert set(checks()[1]) == {"disk"}


def test_a_wrong_setting_is_a_finding(checks, monkeypatch):
    monkeypatch.setenv("PENDESK_PROT", "1")
    code, wrong = checks()
    assert code == 1
    assert "PENDESK_PORT" in wrong["settings"]["told"]
