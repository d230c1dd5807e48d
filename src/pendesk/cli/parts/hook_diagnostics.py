"""The diagnostics of doctor for the hooks by which clients report their sessions: written, current, and trusted."""

import json
from pathlib import Path
from typing import Any

from pendesk.cli.binding import clients
from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.binding.session_hooks import TOOL
from pendesk.cli.binding.snippets import Snippet
from pendesk.cli.parts.binding_diagnostics import diagnose_inserted_snippet
from pendesk.cli.parts.codex_trust import CodexHooks, CodexUnavailable, list_codex_hooks
from pendesk.cli.parts.diagnostics import Diagnostic, Diagnostics
from pendesk.cli.parts.doctor_repo import RepoDoctorRun

CLIENT_NAMES = {"claude": "Claude Code", "codex": "Codex"}
TRUST_ALL = 'choose "Trust all and continue" when it asks about hooks'


def diagnose_session_hooks(run: RepoDoctorRun) -> Diagnostics:
    """Whether the hooks are as `connect` would write them now."""
    for agent, name in CLIENT_NAMES.items():
        if run.binding is None or agent not in run.binding.agents:
            continue
        snippets = clients.session_hook_snippets(run.binding, agent)
        if snippets:
            yield _diagnose_hook_snippets(run, name, snippets)
        else:
            message = (
                f"not installed (--no-hooks): what {name} does is not seen, and messages arrive with a tool's answer"
            )
            yield Diagnostic(f"{name} hooks", "ok", message, f"To install them, run: {run.connect_command} --hooks")


def _diagnose_hook_snippets(run: RepoDoctorRun, client_name: str, snippets: list[Snippet]) -> Diagnostic:
    diagnostics = [(snippet, diagnose_inserted_snippet(run, snippet)) for snippet in snippets]
    wrong = {snippet.keys[1]: diagnostic for snippet, diagnostic in diagnostics if diagnostic.state != "ok"}
    if not wrong:
        message = f"has the {len(snippets)} hooks by which {client_name} reports what it does"
        return Diagnostic(snippets[0].path, "ok", message)
    first = next(iter(wrong.values()))
    if len({diagnostic.message for diagnostic in wrong.values()}) == 1:
        return first
    return first._replace(message=f"hooks are missing or were changed: {', '.join(wrong)}")


def diagnose_claude_hook_trust(run: RepoDoctorRun) -> Diagnostics:
    """A terminal runs no hook of a folder before its person trusts the folder; headless runs do."""
    if run.binding is None or not clients.session_hook_snippets(run.binding, "claude"):
        return
    disabling = [file for file in _claude_settings_files(run.root) if _read_json(file).get("disableAllHooks") is True]
    if disabling:
        fix = f"Remove disableAllHooks from {disabling[0]}."
        yield Diagnostic("Claude Code hooks", "wrong", f"{disabling[0]} disables all hooks", fix)
        return
    projects = _read_json(Path.home() / ".claude.json").get("projects")
    project = projects.get(str(run.root)) if isinstance(projects, dict) else None
    if isinstance(project, dict) and project.get("hasTrustDialogAccepted") is True:
        yield Diagnostic("Claude Code hooks", "ok", "Claude Code trusts this folder and runs them")
    else:
        message = "Claude Code runs them in a terminal once you trust this folder; it asks when you start it here"
        yield Diagnostic("Claude Code hooks", "ok", message)


def diagnose_codex_hook_trust(run: RepoDoctorRun) -> Diagnostics:
    binding = run.binding
    if binding is None or not clients.session_hook_snippets(binding, "codex"):
        return
    try:
        listed = list_codex_hooks(run.root)
    except CodexUnavailable as error:
        message = f"whether Codex trusts them is not known: {error}"
        yield Diagnostic("Codex hooks", "ok", message, f"Codex skips hooks that are not trusted: {TRUST_ALL}.")
        return
    yield _diagnose_listed_hooks(run.root, binding, listed)


def _diagnose_listed_hooks(root: Path, binding: RepoBinding, listed: CodexHooks) -> Diagnostic:
    fix = f"Start codex in {root} and {TRUST_ALL}."
    ours = [hook for hook in listed.hooks if hook.get("tool") == TOOL and hook.get("server") == binding.name]
    if listed.warnings:
        return Diagnostic("Codex hooks", "wrong", f"Codex cannot read them: {listed.warnings[0]}", "Correct that file.")
    if not ours:
        message = "Codex reads nothing in this folder until you trust it; it asks when you start it here"
        return Diagnostic("Codex hooks", "ok", message, fix)
    disabled = [hook["eventName"] for hook in ours if hook.get("enabled") is False]
    skipped = [hook["eventName"] for hook in ours if hook.get("trustStatus") not in ("trusted", "managed")]
    if skipped:
        message = f"not trusted: Codex skips them in silence ({len(skipped)} of {len(ours)})"
        return Diagnostic("Codex hooks", "wrong", message, fix)
    if disabled:
        message = f"disabled in Codex: {', '.join(disabled)}"
        return Diagnostic("Codex hooks", "wrong", message, "Enable them in codex with /hooks.")
    return Diagnostic("Codex hooks", "ok", f"Codex trusts all {len(ours)} and runs them")


def _claude_settings_files(root: Path) -> list[Path]:
    return [root / ".claude/settings.json", root / clients.CLAUDE_SETTINGS, Path.home() / ".claude/settings.json"]


def _read_json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
