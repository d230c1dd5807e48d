"""The diagnostics of doctor for the files of a repository. They only read."""

import json
import os
import shutil
import stat
import tomllib
from pathlib import Path
from typing import Any

from pendesk.cli.binding import clients, json_edit, record
from pendesk.cli.binding.jsonc import NotJson, parse_jsonc
from pendesk.cli.binding.record import BrokenBinding
from pendesk.cli.binding.repository_checks import find_parent_mcp_config_with_server, reason_token_would_be_committed
from pendesk.cli.binding.skill import parse_skill_version, render_agent_skill_markdown, sha256_hex
from pendesk.cli.binding.snippets import START, Snippet
from pendesk.cli.parts.diagnostics import Diagnostic, Diagnostics
from pendesk.cli.parts.doctor_repo import RepoDoctorRun


def diagnose_binding(run: RepoDoctorRun) -> Diagnostics:
    try:
        run.binding = record.read_binding(run.root)
    except BrokenBinding as error:
        fix = f"Run: rm {run.root / record.CONFIG} && {run.connect_command}"
        yield Diagnostic("binding", "wrong", str(error), fix)
        return
    if run.binding is None:
        yield Diagnostic("binding", "wrong", f"{run.root} is not connected", f"Run: {run.connect_command}")
        return
    binding = run.binding
    message = f"{binding.url}, project {binding.project or '(none)'}, for {', '.join(binding.agents)}"
    yield Diagnostic("binding", "ok", message)


def diagnose_agent_config_files(run: RepoDoctorRun) -> Diagnostics:
    """The file of every client, as the client reads it; its many hooks have a diagnostic of their own."""
    if run.binding is None:
        return
    hooks = [hook for agent in clients.AGENTS for hook in clients.session_hook_snippets(run.binding, agent)]
    for snippet in clients.snippets_for_agents(run.binding):
        if snippet not in hooks:
            yield diagnose_inserted_snippet(run, snippet)


def diagnose_inserted_snippet(run: RepoDoctorRun, snippet: Snippet) -> Diagnostic:
    path = run.root / snippet.path
    fix = f"Run: {run.connect_command}"
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return Diagnostic(snippet.path, "wrong", "does not exist", fix)
    if not snippet.keys:
        return _diagnose_inserted_text_block(snippet, text, fix)
    try:
        parse_jsonc(text, strict=snippet.strict)
    except NotJson as error:
        return Diagnostic(
            snippet.path, "wrong", f"is not valid JSON: {error}", f"Correct it, then run: {run.connect_command}"
        )
    if json_edit.has_member_with_value(text, list(snippet.keys), snippet.value):
        return Diagnostic(
            snippet.path, "ok", f"has {snippet.keys[-2] if snippet.keys[-1] == '[]' else snippet.keys[-1]}"
        )
    return Diagnostic(snippet.path, "wrong", f"{'.'.join(snippet.keys)} is missing or was changed", fix)


def _diagnose_inserted_text_block(snippet: Snippet, file_text: str, suggested_fix: str) -> Diagnostic:
    if snippet.path.endswith(".toml"):
        try:
            tomllib.loads(file_text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            return Diagnostic(
                snippet.path, "wrong", f"is not valid TOML: {error}", f"Correct it, then run: {suggested_fix[5:]}"
            )
    expected = "".join(snippet.value.split())
    if START in file_text and expected in "".join(file_text.split()):
        return Diagnostic(snippet.path, "ok", "has the block of `pendesk connect`")
    return Diagnostic(snippet.path, "wrong", "the block of `pendesk connect` is missing or was changed", suggested_fix)


def diagnose_server_disabled_in_claude(run: RepoDoctorRun) -> Diagnostics:
    """Tools are missing because somebody disabled the server in Claude Code."""
    binding = run.binding
    if binding is None or "claude" not in binding.agents:
        return
    for file, settings in _read_claude_settings(run.root):
        if binding.name in (settings.get("disabledMcpjsonServers") or []):
            fix = (
                f"Run: cd {run.root} && claude mcp reset-project-choices, or remove {binding.name!r} from "
                "disabledMcpjsonServers in that file."
            )
            yield Diagnostic("approval", "wrong", f"{file} disables the server {binding.name} in Claude Code", fix)


def _read_claude_settings(root: Path) -> list[tuple[Path, dict[str, Any]]]:
    all_settings = []
    for file in (root / ".claude/settings.json", root / ".claude/settings.local.json", Path.home() / ".claude.json"):
        try:
            content = json.loads(file.read_text("utf-8-sig"))
            settings = content.get("projects", {}).get(str(root), {}) if file.name == ".claude.json" else content
            all_settings.append((file, settings if isinstance(settings, dict) else {}))
        except (OSError, ValueError, AttributeError):
            continue
    return all_settings


def diagnose_codex_folder_trust(run: RepoDoctorRun) -> Diagnostics:
    """Codex reads the settings of trusted folders only. If nothing is set, it asks."""
    if run.binding is None or "codex" not in run.binding.agents:
        return
    file = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"
    try:
        trust_level = tomllib.loads(file.read_text("utf-8"))["projects"][str(run.root)]["trust_level"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if trust_level != "trusted":
        fix = f'Set trust_level = "trusted" for {run.root} in {file}.'
        yield Diagnostic(
            "trust", "wrong", f"Codex ignores the settings in {run.root}: it is {trust_level} in {file}", fix
        )


def diagnose_shadowing_parent_mcp_config(run: RepoDoctorRun) -> Diagnostics:
    if run.binding is None or "claude" not in run.binding.agents:
        return
    above = find_parent_mcp_config_with_server(run.root, run.binding.name)
    if above is not None:
        message = f"{above} has a server {run.binding.name!r} too, and clients may use that one"
        yield Diagnostic(
            "shadow", "wrong", message, f"Run: pendesk disconnect --repo {above.parent}, or remove it from that file."
        )


def diagnose_pendesk_command_missing(run: RepoDoctorRun) -> Diagnostics:
    if run.binding is not None and shutil.which("pendesk") is None and os.name != "posix":
        fix = "Add the folder of pendesk to the PATH."
        yield Diagnostic("helper", "wrong", "pendesk is not on the PATH, so clients cannot run it to get headers", fix)


def diagnose_agent_skill_file(run: RepoDoctorRun) -> Diagnostics:
    binding = run.binding
    if binding is None:
        return
    path, fix = run.root / record.SKILL, f"Run: {run.connect_command}"
    if not path.is_file():
        yield Diagnostic("skill", "wrong", f"{record.SKILL} does not exist", fix)
        return
    text, current = path.read_text("utf-8"), render_agent_skill_markdown(binding)
    if text == current:
        yield Diagnostic("skill", "ok", f"version {parse_skill_version(current)}")
    elif sha256_hex(text) != binding.skill:
        yield Diagnostic("skill", "ok", "edited by you; `pendesk connect` would replace it")
    else:
        yield Diagnostic(
            "skill",
            "wrong",
            f"version {parse_skill_version(text)} is outdated: the current one is {parse_skill_version(current)}",
            fix,
        )
    for link in binding.links:
        if not (run.root / link.path).is_file():
            yield Diagnostic("skill", "wrong", f"{link.path} is a broken link", fix)


def diagnose_token_file(run: RepoDoctorRun) -> Diagnostics:
    path = run.root / record.TOKEN
    if run.binding is None or not path.exists():
        return
    problem = reason_token_would_be_committed(run.root)
    if problem is not None:
        yield Diagnostic("token file", "wrong", problem.split(". ")[0], _suggest_token_file_fix(problem, run))
    elif os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Diagnostic("token file", "wrong", f"other users can read {path}", f"Run: chmod 600 {path}")
    else:
        yield Diagnostic("token file", "ok", "only you can read it, and git ignores it")


def _suggest_token_file_fix(problem: str, run: RepoDoctorRun) -> str:
    if "git rm" in problem:
        return f"Run: git -C {run.root} rm --cached {record.TOKEN} && pendesk token list (and revoke this token)"
    return problem.split(": ", 1)[1]
