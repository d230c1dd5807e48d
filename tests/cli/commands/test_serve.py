import socket

import pytest

from pendesk.cli.commands.serve import public_url_note
from pendesk.settings import load


@pytest.fixture
def taken_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize(
    ("started_by", "hint"), [("", "Use --port 0 for"), ("make serve", 'Use make serve ARGS="--port 0" for')]
)
def test_a_port_in_use_names_the_command_for_the_next_free_one(run, monkeypatch, taken_port, started_by, hint):
    monkeypatch.setenv("STARTED_BY", started_by)
    result = run("serve", "--port", str(taken_port))
    assert result.exit_code == 1
    assert hint in result.stderr


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("0.0.0.0", "begin with http://127.0.0.1:3847 and only work on this machine. Set PENDESK_PUBLIC_URL"),
        ("::", "only work on this machine"),
        ("192.0.2.7", "only work where that address is known"),
        ("127.0.0.1", None),
        ("::1", None),
        ("localhost", None),
    ],
)
def test_a_server_that_others_reach_names_the_public_url(tmp_path, host, words):
    """Called, not served: a test listens on this machine alone."""
    settings = load(data_folder=str(tmp_path), environ={}, options={"host": host})
    note = public_url_note(settings, "http://127.0.0.1:3847")
    assert note is None if words is None else words in (note or "")
    environ = {"PENDESK_PUBLIC_URL": "https://pendesk.example.com"}
    settings = load(data_folder=str(tmp_path), environ=environ, options={"host": host})
    assert public_url_note(settings, "https://pendesk.example.com") is None
