"""The examples in the docs, run as they stand there against a real server."""

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"


def blocks(page: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M)
    assert found, f"no {language} in {page}"
    return "\n".join(found)


def test_the_examples_of_the_client_run(server, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(blocks("client.md", "python"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "HRB-1 Ask for an API key" in done.stdout


def test_the_commands_of_rest_run(server, tmp_path):
    script = blocks("rest.md", "bash").replace("curl -sS", "curl -sS --fail-with-body")
    done = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"error"' not in done.stdout
    assert '"revision":2' in done.stdout
