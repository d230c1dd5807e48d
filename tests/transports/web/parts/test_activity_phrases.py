import pytest

from pendesk.domain.session_activity import HookEvent
from pendesk.transports.web.parts.activity_phrases import step_phrase, tool_phrase
from pendesk.transports.web.parts.assets import ASSETS

SPRITE = ASSETS["icons.svg"].content.decode()


@pytest.mark.parametrize(
    ("tool", "running", "ended"),
    [
        ("Edit", "Editing", "Edited"),
        ("apply_patch", "Editing", "Edited"),
        ("Bash", "Running", "Ran"),
        ("Read", "Reading", "Read"),
        ("mcp__pendesk__update_progress", "Calling update_progress (pendesk)", "Called update_progress (pendesk)"),
        ("mcp__broken", "Using mcp__broken", "Used mcp__broken"),
        ("FoldLaundry", "Using FoldLaundry", "Used FoldLaundry"),
        ("", "Thinking", "Thought"),
    ],
)
def test_a_tool_is_a_verb_and_one_that_is_not_known_is_named(tool, running, ended):
    assert tool_phrase(tool)[:2] == (running, ended)


def test_a_step_is_its_tool_or_what_happened():
    assert step_phrase("PreToolUse", "Bash").ended == "Ran"
    assert step_phrase("PermissionRequest", "Bash").running == "Waiting for permission"
    assert step_phrase("Stop", "").ended == "Ended its turn"
    assert step_phrase("SomethingNew", "").ended == "Thought"


def test_every_event_has_words_and_an_icon_that_is_in_the_sprite():
    for event in HookEvent:
        phrase = step_phrase(event, "")
        assert phrase.running
        assert f'id="{phrase.icon}"' in SPRITE
