"""The skill: the conventions that an agent follows, as a file of the repository."""

import hashlib
import re
from importlib import resources

from pendesk.cli.binding.record import RepoBinding

_VERSION = re.compile(r"<!-- pendesk skill ([0-9]+) -->")


def render_agent_skill_markdown(binding: RepoBinding) -> str:
    template = (resources.files("pendesk.cli.binding") / "skill.md").read_text("utf-8")
    project = f" This repository belongs to project {binding.project}." if binding.project else ""
    return template.replace("{project}", project).replace("{name}", binding.name)


def parse_skill_version(skill_text: str) -> int | None:
    match = _VERSION.search(skill_text)
    return int(match[1]) if match else None


def sha256_hex(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
