import socket

import pytest


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
