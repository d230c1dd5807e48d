"""The instructions: whatever a token may, they name its tools and no others."""

import itertools
import re

import pytest

from pendesk.domain.access import TOKEN_SCOPES, TOOL_SETS
from pendesk.transports.mcp.prompts import instructions_for_scopes
from tests.tool_scopes import SCOPE_BY_TOOL

CHOICES = [
    frozenset(scopes)
    for size in range(1, len(TOKEN_SCOPES) + 1)
    for scopes in itertools.combinations(sorted(TOKEN_SCOPES), size)
]


def tools_named(text):
    return set(re.findall(r"[a-z]+(?:_[a-z]+)+|search", text)) & set(SCOPE_BY_TOOL)


@pytest.mark.parametrize("scopes", CHOICES, ids=lambda scopes: " ".join(sorted(scopes)))
def test_only_tools_that_the_token_has_are_named(scopes):
    named = tools_named(instructions_for_scopes(scopes))
    assert {tool for tool in named if SCOPE_BY_TOOL[tool] not in scopes} == set()


@pytest.mark.parametrize(
    ("tools", "first_steps"),
    [
        ("build", {"list_available_specs", "claim_action", "get_action_brief", "submit_for_review"}),
        ("plan", {"list_projects", "get_next_task", "update_task", "create_task", "list_tasks", "draft_spec"}),
    ],
)
def test_each_set_of_tools_has_its_loop(tools, first_steps):
    assert first_steps <= tools_named(instructions_for_scopes(TOOL_SETS[tools].scopes))
    assert first_steps <= tools_named(instructions_for_scopes(TOOL_SETS["all"].scopes))


def test_every_name_that_looks_like_a_tool_is_one():
    words = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", instructions_for_scopes(TOKEN_SCOPES)))
    fields_and_states = {
        "brief_rev",
        "changes_requested",
        "claim_id",
        "draft_id",
        "head_sha",
        "idempotency_key",
        "spec_id",
    }
    assert words - set(SCOPE_BY_TOOL) == fields_and_states
