"""What is installed is whole: the wheel, unpacked elsewhere, has its migrations, templates, styles and sample."""

import json
import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.clients.running import started

ROOT = Path(__file__).parents[1]


def unpack_wheel(project: Path, folder: Path) -> Path:
    build = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(project)], check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel was unpacked; other packages come from the development environment."""
    return unpack_wheel(ROOT, tmp_path_factory.mktemp("installed"))


def packages(site: Path) -> set[str]:
    return {path.name for path in site.iterdir() if path.suffix != ".dist-info"}


def test_the_server_and_the_client_are_in_wheels_of_their_own(installed: Path, tmp_path: Path):
    client = unpack_wheel(ROOT / "clients" / "python", tmp_path)
    assert (packages(installed), packages(client)) == ({"pendesk"}, {"pendesk_client"})
    assert not (installed / "pendesk" / "client").exists()
    assert (client / "pendesk_client" / "py.typed").exists()
    assert [path.name for path in client.rglob("LICENSE")] == ["LICENSE"]
    where = [sys.executable, "-c", "import pendesk_client; print(pendesk_client.__file__)"]
    output = subprocess.check_output(where, env={**os.environ, "PYTHONPATH": str(client)}, text=True)
    assert output.startswith(str(client))


def test_the_program_runs_from_its_wheel(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    data = tmp_path / "data"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PENDESK_")}
    program = [sys.executable, "-m", "pendesk"]

    def run(*arguments: str) -> str:
        result = subprocess.run([*program, *arguments], env=environ, capture_output=True, text=True, check=True)
        return result.stdout

    where = [sys.executable, "-c", "import pendesk; print(pendesk.__file__)"]
    assert subprocess.check_output(where, env=environ, text=True).startswith(str(installed))
    run("init", "--data", str(data))
    assert "Harbour" in run("demo", "--data", str(data))
    with started([*program, "serve", "--port", "0", "--json", "--data", str(data)], data, {}) as line:
        url = json.loads(line)["url"]
        with urllib.request.urlopen(f"{url}sign-in", timeout=60) as answer:
            page = answer.read().decode()
        assert "Sign in" in page
        styles = [part.split('"')[0] for part in page.split('href="')[1:] if ".css" in part.split('"')[0]]
        assert styles
        for path in styles:
            with urllib.request.urlopen(url + path.lstrip("/"), timeout=60) as answer:
                assert answer.status == 200
