"""pendesk doctor: is everything as it should be, and what to do where it is not.

Exit codes: 0 healthy, 1 something is wrong, 2 the database is corrupt.
"""

import click

from pendesk.cli.checks import CHECKS, Finding, Patient
from pendesk.cli.console import Console, everywhere, pass_console, plain, table
from pendesk.settings import SettingError


@click.command()
@click.option("--full", is_flag=True, help="Check the whole database file, which may take long.")
@everywhere
@pass_console
def doctor(console: Console, full: bool) -> None:
    """Check data folder, secret, database, server, clock and disk."""
    try:
        settings = console.settings()
    except SettingError as error:
        findings, origins = [Finding("settings", "wrong", str(error), "Correct it there.")], {}
    else:
        patient = Patient(settings, full)
        findings, origins = [finding for check in CHECKS for finding in check(patient)], dict(settings.origins)
    worst = max(("ok", "wrong", "corrupt").index(each.state) for each in findings)
    result = {
        "healthy": worst == 0,
        "checks": [each._asdict() for each in findings],
        "settings": {name: origin._asdict() for name, origin in origins.items()},
    }
    rows = [("SETTING", "VALUE", "FROM"), *((name, each.shown, each.source) for name, each in origins.items())]
    text = "\n".join([*(_line(each) for each in findings), *(["", table(rows)] if origins else [])])
    console.answer(result, text)
    raise SystemExit(worst)


def _line(finding: Finding) -> str:
    name, state, told, fix = finding
    mark = {"ok": "ok     ", "wrong": "WRONG  ", "corrupt": "CORRUPT"}[state]
    return plain(f"{mark}  {name}: {told}" + (f"\n         fix: {fix}" if fix else ""))
