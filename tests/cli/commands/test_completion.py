"""completion: what a shell is told, and what it completes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PENDESK = str(Path(sys.executable).with_name("pendesk"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_PENDESK_COMPLETE" in result.stdout


def complete(*words: str) -> set[str]:
    environ = {
        **os.environ,
        "_PENDESK_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["pendesk", *words]),
        "COMP_CWORD": str(len(words)),
    }
    output = subprocess.run([PENDESK], env=environ, capture_output=True, text=True, check=False).stdout
    return {line.partition(",")[2] for line in output.splitlines()}


def test_commands_tools_options_and_choices_are_completed():
    assert {"connect", "context", "completion"} <= complete("co")
    assert complete("work", "claim") == {"claim_action"}
    assert complete("connect", "--agent", "co") == {"codex"}
    assert "--unattended" in complete("connect", "--un")


def test_an_unknown_shell_is_named(run):
    assert run("completion", "csh").exit_code == 2
