"""The skill, and its version."""

import hashlib
import re
from importlib import resources

from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.binding.skill import parse_skill_version, render_agent_skill_markdown
from pendesk.domain.access import BUILDING_SCOPES, PLANNING_SCOPES, TOKEN_SCOPES
from tests.tool_scopes import SCOPE_BY_TOOL

# A skill of another text is another version: doctor tells people by the number that theirs is outdated.
DIGESTS = {
    1: "4b82b2c02a85bdf665a9c9afc6de6d5a1c645b8d002517d1e65573e74471b4ee",
    2: "1ff9270176186fa1ae3c73f5c67f625710f90fed704bc530b27d56a6796150f8",
    3: "5450c5466ca2d3f724e4c4505a5a7b2bd458c3183ae827a932ee248f608df8c9",
    4: "314fff9c465094a2658ea9a69b3c575c054f0b1e88c785d20f677d590d3b2064",
    5: "9f7ee3897b47e7458ae5cc3c7102412c3fbf37b57d46b12c4aed51e2cf462003",
    6: "251ceb95df1ac5cfc8ad93de07b87b32b99845eaee438d8077623dd0133e7044",
    7: "f987f4c629ce13d01bce39853c94dbe42d6198cadbb4319ebdefec1f19cde91a",
}


def test_a_changed_text_is_a_new_version():
    template = (resources.files("pendesk.cli.binding") / "skill.md").read_text("utf-8")
    version = parse_skill_version(template)
    assert version is not None
    assert DIGESTS[version] == hashlib.sha256(template.encode()).hexdigest(), (
        "Raise the number in skill.md, add it here."
    )


def test_it_names_the_project_the_server_and_only_tools_that_exist():
    text = render_agent_skill_markdown(RepoBinding("http://127.0.0.1:3847", "PEN", ("claude",), "desk"))
    assert "project PEN" in text
    assert "`desk`" in text
    assert "{" not in text
    named = {word for word in re.findall(r"`([a-z_]+)`", text) if "_" in word} - {"in_progress"}
    assert named <= set(SCOPE_BY_TOOL)
    assert {SCOPE_BY_TOOL[tool] for tool in named} == set(TOKEN_SCOPES)


def test_it_has_a_section_for_each_set_of_tools():
    text = render_agent_skill_markdown(RepoBinding("http://127.0.0.1:3847", "PEN", ("claude",), "desk"))
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[1:]}
    assert list(sections) == ["Build", "Plan", "Always"]
    for title, scopes in (("Build", BUILDING_SCOPES), ("Plan", PLANNING_SCOPES)):
        named = set(re.findall(r"`([a-z_]+)`", sections[title])) & set(SCOPE_BY_TOOL)
        assert {SCOPE_BY_TOOL[tool] for tool in named} == set(scopes)
