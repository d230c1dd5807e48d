"""pendesk doctor: is everything as it should be, and what to do where it is not.

Exit codes: 0 healthy, 1 something is wrong, 2 the database is corrupt.
"""

from collections.abc import Callable
from pathlib import Path

import click

from pendesk.cli.parts import binding_diagnostics, server_diagnostics
from pendesk.cli.parts.console import Console, everywhere, pass_console, plain, table
from pendesk.cli.parts.diagnostics import CHECKS, Finding, Findings, Patient
from pendesk.cli.parts.doctor_repo import RepoPatient
from pendesk.settings import SettingError, Settings

REPO_CHECKS: list[Callable[[RepoPatient], Findings]] = [
    binding_diagnostics.check_binding,
    binding_diagnostics.check_files,
    binding_diagnostics.check_refused_by_user,
    binding_diagnostics.check_codex_trust,
    binding_diagnostics.check_shadow,
    binding_diagnostics.check_helper,
    binding_diagnostics.check_skill,
    binding_diagnostics.check_secrecy,
    server_diagnostics.check_server,
    server_diagnostics.check_token,
    server_diagnostics.check_project,
    server_diagnostics.check_work,
]


@click.command()
@click.option("--repo", metavar="DIR", help="Check a connected repository too: files, token, server, work.")
@click.option("--full", is_flag=True, help="Check the whole database file, which may take long.")
@everywhere
@pass_console
def doctor(console: Console, repo: str | None, full: bool) -> None:
    """Check data folder, secret, database, server, clock and disk. Exit 0 healthy, 1 issues, 2 corrupt."""
    try:
        settings = console.settings()
    except SettingError as error:
        findings, origins = [Finding("settings", "wrong", str(error), "Correct it there.")], {}
    else:
        findings, origins = _look(settings, repo, full), dict(settings.origins)
    worst = max(("ok", "wrong", "corrupt").index(each.state) for each in findings)
    result = {
        "healthy": worst == 0,
        "checks": [each._asdict() for each in findings],
        "settings": {name: origin._asdict() for name, origin in origins.items()},
    }
    rows = [("SETTING", "VALUE", "FROM"), *((name, each.shown, each.source) for name, each in origins.items())]
    wrong = sum(each.state != "ok" for each in findings)
    verdict = f"{wrong} of {len(findings)} checks found something." if wrong else "Everything is as it should be."
    text = "\n".join([*(_line(each) for each in findings), *(["", table(rows)] if origins else []), "", verdict])
    console.answer(result, text)
    raise SystemExit(worst)


def _look(settings: Settings, repo: str | None, full: bool) -> list[Finding]:
    """Who only works with a server elsewhere has no data folder, and needs none."""
    found: list[Finding] = []
    if repo is None or settings.data.is_dir():
        patient = Patient(settings, full)
        found += [finding for check in CHECKS for finding in check(patient)]
    if repo is not None:
        repository = RepoPatient(Path(repo).resolve(), settings)
        found += [finding for check in REPO_CHECKS for finding in check(repository)]
    return found


def _line(finding: Finding) -> str:
    name, state, told, fix = finding
    mark = {"ok": "ok     ", "wrong": "WRONG  ", "corrupt": "CORRUPT"}[state]
    return plain(f"{mark}  {name}: {told}" + (f"\n         fix: {fix}" if fix else ""))
