"""pendesk doctor: diagnose the installation and a repository, with the fix for every problem.

Exit codes: 0 healthy, 1 problems, 2 the database is corrupt.
"""

from collections.abc import Callable
from pathlib import Path

import click

from pendesk.cli.parts import binding_diagnostics, hook_diagnostics, server_diagnostics, session_diagnostics
from pendesk.cli.parts.console import Console, common_options, format_table, pass_console, replace_control_chars
from pendesk.cli.parts.diagnostics import DIAGNOSES, Diagnostic, Diagnostics, DoctorRun
from pendesk.cli.parts.doctor_repo import RepoDoctorRun
from pendesk.settings import SettingError, Settings

REPO_DIAGNOSES: list[Callable[[RepoDoctorRun], Diagnostics]] = [
    binding_diagnostics.diagnose_binding,
    binding_diagnostics.diagnose_agent_config_files,
    binding_diagnostics.diagnose_server_disabled_in_claude,
    binding_diagnostics.diagnose_codex_folder_trust,
    binding_diagnostics.diagnose_shadowing_parent_mcp_config,
    binding_diagnostics.diagnose_pendesk_command_missing,
    binding_diagnostics.diagnose_agent_skill_file,
    binding_diagnostics.diagnose_token_file,
    hook_diagnostics.diagnose_session_hooks,
    hook_diagnostics.diagnose_claude_hook_trust,
    hook_diagnostics.diagnose_codex_hook_trust,
    session_diagnostics.diagnose_session_hook,
    session_diagnostics.diagnose_session_marks,
    server_diagnostics.diagnose_bound_server,
    server_diagnostics.diagnose_token,
    server_diagnostics.diagnose_bound_project,
    server_diagnostics.diagnose_claimable_work,
]


@click.command()
@click.option("--repo", metavar="DIR", help="Diagnose a connected repository too: files, token, server, work.")
@click.option("--full", is_flag=True, help="Check the whole database file, which may take a while.")
@common_options
@pass_console
def doctor(console: Console, repo: str | None, full: bool) -> None:
    """Diagnose the installation. Looks at data folder, secret, database, server, clock and disk.

    Exit codes: 0 healthy, 1 problems, 2 the database is corrupt.
    """
    try:
        settings = console.load_settings()
    except SettingError as error:
        diagnostics, origins = [Diagnostic("settings", "wrong", str(error), "Correct it.")], {}
    else:
        diagnostics, origins = _diagnose_installation_and_repo(settings, repo, full), dict(settings.origins)
    worst = max(("ok", "wrong", "corrupt").index(diagnostic.state) for diagnostic in diagnostics)
    result = {
        "healthy": worst == 0,
        "checks": [diagnostic.as_json() for diagnostic in diagnostics],
        "settings": {name: origin._asdict() for name, origin in origins.items()},
    }
    rows = [("SETTING", "VALUE", "FROM"), *((name, origin.shown, origin.source) for name, origin in origins.items())]
    problems = sum(diagnostic.state != "ok" for diagnostic in diagnostics)
    verdict = f"{problems} problem{'s' if problems != 1 else ''} found." if problems else "No problems found."
    text = "\n".join(
        [
            *(_format_diagnostic(diagnostic) for diagnostic in diagnostics),
            *(["", format_table(rows)] if origins else []),
            "",
            verdict,
        ]
    )
    console.print_result(result, text)
    raise SystemExit(worst)


def _diagnose_installation_and_repo(settings: Settings, repo: str | None, full: bool) -> list[Diagnostic]:
    """Whoever only uses a server elsewhere has no data folder, and needs none."""
    diagnostics: list[Diagnostic] = []
    if repo is None or settings.data.is_dir():
        run = DoctorRun(settings, full)
        diagnostics += [diagnostic for diagnose in DIAGNOSES for diagnostic in diagnose(run)]
    if repo is not None:
        repo_run = RepoDoctorRun(Path(repo).resolve(), settings)
        diagnostics += [diagnostic for diagnose in REPO_DIAGNOSES for diagnostic in diagnose(repo_run)]
    return diagnostics


def _format_diagnostic(diagnostic: Diagnostic) -> str:
    name, state, message, fix = diagnostic
    mark = {"ok": "ok     ", "wrong": "WRONG  ", "corrupt": "CORRUPT"}[state]
    return replace_control_chars(f"{mark}  {name}: {message}" + (f"\n         fix: {fix}" if fix else ""))
