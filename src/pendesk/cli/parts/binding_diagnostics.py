"""What doctor looks at in a repository's own files. A check only reads."""

import json
import os
import shutil
import stat
import tomllib
from pathlib import Path
from typing import Any

from pendesk.cli.binding import clients, json_edit, record
from pendesk.cli.binding.jsonc import NotJson, parse
from pendesk.cli.binding.parts import START, Part
from pendesk.cli.binding.place import shadowing, token_would_be_taken
from pendesk.cli.binding.record import BrokenBinding
from pendesk.cli.binding.skill import digest, skill_text, skill_version
from pendesk.cli.parts.diagnostics import Finding, Findings
from pendesk.cli.parts.doctor_repo import RepoPatient


def check_binding(patient: RepoPatient) -> Findings:
    try:
        patient.binding = record.read_binding(patient.root)
    except BrokenBinding as error:
        fix = f"Run: rm {patient.root / record.CONFIG} && {patient.connect}"
        yield Finding("binding", "wrong", str(error), fix)
        return
    if patient.binding is None:
        yield Finding("binding", "wrong", f"{patient.root} is not connected", f"Run: {patient.connect}")
        return
    binding = patient.binding
    told = f"{binding.url}, project {binding.project or '(none)'}, for {', '.join(binding.agents)}"
    yield Finding("binding", "ok", told)


def check_files(patient: RepoPatient) -> Findings:
    """Each client's file, as that client reads it."""
    if patient.binding is None:
        return
    for part in clients.parts(patient.binding):
        yield _check_part(patient, part)


def _check_part(patient: RepoPatient, part: Part) -> Finding:
    place = patient.root / part.path
    again = f"Run: {patient.connect}"
    try:
        text = place.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return Finding(part.path, "wrong", "is not there", again)
    if not part.keys:
        return _check_block(part, text, again)
    try:
        parse(text, strict=part.strict)
    except NotJson as error:
        return Finding(part.path, "wrong", f"is not valid JSON: {error}", f"Correct it there, then: {patient.connect}")
    if json_edit.holds(text, list(part.keys), part.value):
        return Finding(part.path, "ok", f"has {part.keys[-2] if part.keys[-1] == '[]' else part.keys[-1]}")
    return Finding(part.path, "wrong", f"{'.'.join(part.keys)} is missing or was changed", again)


def _check_block(part: Part, text: str, again: str) -> Finding:
    if part.path.endswith(".toml"):
        try:
            tomllib.loads(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            return Finding(part.path, "wrong", f"is not valid TOML: {error}", f"Correct it there, then: {again[5:]}")
    wanted = "".join(part.value.split())
    if START in text and wanted in "".join(text.split()):
        return Finding(part.path, "ok", "has the block of Pendesk")
    return Finding(part.path, "wrong", "the block of Pendesk is missing or was changed", again)


def check_refused_by_user(patient: RepoPatient) -> Findings:
    """Tools missing although all is right: somebody once said no to the server in Claude Code."""
    binding = patient.binding
    if binding is None or "claude" not in binding.agents:
        return
    for file, told in _claude_settings(patient.root):
        if binding.name in (told.get("disabledMcpjsonServers") or []):
            fix = (
                f"Run: cd {patient.root} && claude mcp reset-project-choices, or take {binding.name!r} out of "
                "disabledMcpjsonServers there."
            )
            yield Finding("approval", "wrong", f"{file} tells Claude Code not to use {binding.name}", fix)


def _claude_settings(root: Path) -> list[tuple[Path, dict[str, Any]]]:
    found = []
    for file in (root / ".claude/settings.json", root / ".claude/settings.local.json", Path.home() / ".claude.json"):
        try:
            told = json.loads(file.read_text("utf-8-sig"))
            own = told.get("projects", {}).get(str(root), {}) if file.name == ".claude.json" else told
            found.append((file, own if isinstance(own, dict) else {}))
        except (OSError, ValueError, AttributeError):
            continue
    return found


def check_codex_trust(patient: RepoPatient) -> Findings:
    """Codex reads the settings of a folder only if it is trusted. Where nothing was said yet, it asks."""
    if patient.binding is None or "codex" not in patient.binding.agents:
        return
    file = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"
    try:
        told = tomllib.loads(file.read_text("utf-8"))["projects"][str(patient.root)]["trust_level"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if told != "trusted":
        fix = f'Set trust_level = "trusted" for {patient.root} in {file}.'
        yield Finding("trust", "wrong", f"Codex takes no settings from {patient.root}: it is {told} in {file}", fix)


def check_shadow(patient: RepoPatient) -> Findings:
    if patient.binding is None or "claude" not in patient.binding.agents:
        return
    above = shadowing(patient.root, patient.binding.name)
    if above is not None:
        told = f"{above} names a server {patient.binding.name!r} too, and a client may take that one"
        yield Finding("shadow", "wrong", told, f"Run: pendesk disconnect --repo {above.parent}, or take it out there.")


def check_helper(patient: RepoPatient) -> Findings:
    if patient.binding is not None and shutil.which("pendesk") is None and os.name != "posix":
        fix = "Put the folder of pendesk on the PATH."
        yield Finding("helper", "wrong", "pendesk is not on the PATH, so clients cannot ask it for headers", fix)


def check_skill(patient: RepoPatient) -> Findings:
    binding = patient.binding
    if binding is None:
        return
    place, fix = patient.root / record.SKILL, f"Run: {patient.connect}"
    if not place.is_file():
        yield Finding("skill", "wrong", f"{record.SKILL} is not there", fix)
        return
    text, current = place.read_text("utf-8"), skill_text(binding)
    if text == current:
        yield Finding("skill", "ok", f"version {skill_version(current)}")
    elif digest(text) != binding.skill:
        yield Finding("skill", "ok", "changed by hand; `pendesk connect` would replace it")
    else:
        yield Finding(
            "skill", "wrong", f"version {skill_version(text)} is stale: {skill_version(current)} is here", fix
        )
    for link in binding.links:
        if not (patient.root / link.path).is_file():
            yield Finding("skill", "wrong", f"{link.path} leads nowhere", fix)


def check_secrecy(patient: RepoPatient) -> Findings:
    place = patient.root / record.TOKEN
    if patient.binding is None or not place.exists():
        return
    taken = token_would_be_taken(patient.root)
    if taken is not None:
        yield Finding("token file", "wrong", taken.split(". ")[0], _first_command(taken, patient))
    elif os.name == "posix" and stat.S_IMODE(place.stat().st_mode) & 0o077:
        yield Finding("token file", "wrong", f"others can read {place}", f"Run: chmod 600 {place}")
    else:
        yield Finding("token file", "ok", "yours alone, and git does not take it")


def _first_command(told: str, patient: RepoPatient) -> str:
    if "git rm" in told:
        return (
            f"Run: git -C {patient.root} rm --cached {record.TOKEN} && pendesk token list (and revoke what was shown)"
        )
    return told.split(": ", 1)[1]
