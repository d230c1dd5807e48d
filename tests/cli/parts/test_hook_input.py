"""What a hook gets on stdin, and all that stdin may be elsewhere."""

import json
import os
import pty
import subprocess
import sys

import pytest

from pendesk.cli.parts.hook_input import MAX_BYTES

PRINT = "import json; from pendesk.cli.parts.hook_input import read_hook_input; print(json.dumps(read_hook_input({})))"


def read_with(stdin: int | None, content: bytes | None = None, deadline_s: str = "") -> dict[str, object]:
    """By a process of its own, as a hook runs; without a deadline it waits as long as it must."""
    program = [sys.executable, "-c", PRINT.format(deadline_s or "60")]
    process = subprocess.Popen(program, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, errors = process.communicate(content)
    assert (process.returncode, errors) == (0, b"")
    result: dict[str, object] = json.loads(output)
    return result


def test_the_object_is_read():
    assert read_with(subprocess.PIPE, b'{"session_id": "a", "source": "clear"}\n') == {
        "session_id": "a",
        "source": "clear",
    }


@pytest.mark.parametrize(
    "content", [b"", b"text", b"[1]", b'"}"', b"{", b"{}}", b"[" * MAX_BYTES + b"}", b"\xff}", b" " * MAX_BYTES + b"{}"]
)
def test_anything_else_is_nothing(content):
    assert read_with(subprocess.PIPE, content) == {}


def test_an_end_that_stays_open_is_not_waited_for():
    reading, writing = os.pipe()
    os.write(writing, b'{"session_id": "a", "nested": {}')
    os.write(writing, b"}")
    try:
        assert read_with(reading)["session_id"] == "a"
        assert read_with(reading, deadline_s="0.1") == {}
    finally:
        os.close(reading)
        os.close(writing)


def test_a_terminal_and_no_stdin_are_nothing():
    ours, theirs = pty.openpty()
    try:
        assert read_with(theirs) == {}
    finally:
        os.close(ours)
        os.close(theirs)
    assert read_with(subprocess.DEVNULL) == {}
    closed = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", sys.executable, "-c", PRINT.format("60")], capture_output=True, check=True
    )
    assert json.loads(closed.stdout) == {}
