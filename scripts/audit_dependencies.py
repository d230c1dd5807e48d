"""What we install, held against the lock files and the list of known advisories (OSV).

    make audit                                  asks api.osv.dev; without a network it says so, and checks the rest
    make audit ARGS=--require-advisories        fails where they could not be asked
    make audit ARGS="--advisories answer.json"  takes OSV's answer from a file, for a machine without a network

Exit code 0: nothing to do; 1: something to do, each in a line.
"""

import argparse
import json
import re
import sys
import urllib.error
import urllib.request
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))
OSV = "https://api.osv.dev/v1/querybatch"
TIMEOUT_S = 30
MOST_BYTES = 20_000_000
_ENTRY = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
# Installed by `python -m venv`, or by ourselves from this repository.
NOT_LOCKED = {"pip", "setuptools", "pendesk", "pendesk-client"}
# Advisories that do not concern us, each with the reason.
ACCEPTED: dict[str, str] = {}


class Pin(NamedTuple):
    name: str
    version: str


class Lock(NamedTuple):
    """`problems`: entries that would let something else in."""

    pins: set[Pin]
    problems: list[str]


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(path: Path) -> Lock:
    """Entries are separated by lines that do not end with a backslash."""
    lock = Lock(set(), [])
    text = re.sub(r"^\s*#.*$", "", path.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    for entry in filter(None, map(str.strip, text.splitlines())):
        match = _ENTRY.match(entry)
        if match is None:
            lock.problems.append(f"{path.name}: {entry.split()[0]} is not pinned to one version")
            continue
        if "--hash=sha256:" not in entry:
            lock.problems.append(f"{path.name}: {match[1]} has no hash")
        lock.pins.add(Pin(normalized(match[1]), match[2]))
    return lock


def differences_from_installed(pins: set[Pin]) -> list[str]:
    """What is installed here in another version than locked, or without being locked at all."""
    versions: dict[str, set[str]] = {}
    for pin in pins:
        versions.setdefault(pin.name, set()).add(pin.version)
    installed = {normalized(found.metadata["Name"]): found.version for found in metadata.distributions()}
    return [
        f"installed: {name} {version} is not in a lock file"
        for name, version in sorted(installed.items())
        if name not in NOT_LOCKED and version not in versions.get(name, set())
    ]


def build_queries(pins: list[Pin]) -> str:
    package = [{"package": {"name": pin.name, "ecosystem": "PyPI"}, "version": pin.version} for pin in pins]
    return json.dumps({"queries": package})


def ask_for_advisories(pins: list[Pin]) -> Any:
    request = urllib.request.Request(OSV, build_queries(pins).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        return json.loads(answer.read(MOST_BYTES))


def list_advisories(pins: list[Pin], answer: Any) -> list[str]:
    results = answer["results"]
    if len(results) != len(pins):
        raise ValueError(f"{len(results)} answers for {len(pins)} packages")
    return [
        f"advisory: {pin.name} {pin.version}: {advisory['id']}, see https://osv.dev/{advisory['id']}"
        for pin, result in zip(pins, results, strict=True)
        for advisory in result.get("vulns", [])
        if advisory["id"] not in ACCEPTED
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--advisories", type=Path, help="OSV's answer, from a file")
    parser.add_argument("--queries", action="store_true", help="print what OSV is asked, for such a file, and end")
    parser.add_argument("--require-advisories", action="store_true", help="fail where they could not be asked")
    options = parser.parse_args(arguments)
    locks = [read_lock(path) for path in LOCKS]
    pins = sorted(set().union(*(lock.pins for lock in locks)))
    if options.queries:
        print(build_queries(pins))
        return 0
    problems = [problem for lock in locks for problem in lock.problems] + differences_from_installed(set(pins))
    try:
        answer = json.loads(options.advisories.read_text()) if options.advisories else ask_for_advisories(pins)
        problems += list_advisories(pins, answer)
        asked = "asked for advisories"
    except (OSError, urllib.error.URLError, ValueError, KeyError, TypeError) as error:
        asked = f"advisories NOT checked ({error})"
        if options.require_advisories or options.advisories:
            problems.append(asked)
    print("\n".join([*problems, f"{len(pins)} pinned packages in {len(locks)} lock files, {asked}."]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
