"""The Python of docs/client.md, run as it stands there against a real server."""

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"


def blocks(page: str, language: str) -> str:
    texts = re.findall(rf"^```{language}\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M)
    assert texts, f"no {language} in {page}"
    return "\n".join(texts)


def test_the_examples_of_the_client_run(server, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(blocks("client.md", "python"))
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert "HRB-1 Ask for an API key" in result.stdout
