"""What a finding of doctor tells to type, typed."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any


def commands(fix: str) -> list[list[str]]:
    """What stands after "Run:", up to an alternative or a remark."""
    typed = re.split(r"[Rr]un: |then: ", fix, maxsplit=1)
    assert len(typed) == 2, f"no command in: {fix}"
    line = re.split(r" \(|, or ", typed[1])[0]
    return [shlex.split(command) for command in re.split(r" && |; ", line)]


def follow(fix: str, run: Callable[..., Any], cwd: Path) -> None:
    """Exactly what is printed: pendesk's commands in this process, the others in their own."""
    for words in commands(fix):
        if words[0] == "pendesk":
            result = run(*words[1:])
            assert result.exit_code == 0, f"{words}\n{result.output}"
        else:
            subprocess.run(words, cwd=cwd, check=True, capture_output=True)
