"""Who is mentioned in a text, and what only looks like it."""

import pytest

from pendesk.domain.assignee import Assignable, Assignee
from pendesk.domain.mention import emphasize_mentions, find_mentions, mentionable_by_written_name

ADA = Assignable(Assignee(user_id="u1"), "person", "Ada", "u1")
LOVELACE = Assignable(Assignee(user_id="u2"), "person", "Ada Lovelace", "u2")
CODEX_OF_ADA = Assignable(Assignee(agent_id="a1"), "agent", "Codex", "u1", "Ada")
CODEX_OF_GRACE = Assignable(Assignee(agent_id="a2"), "agent", "Codex", "u3", "Grace")
KNOWN = mentionable_by_written_name([ADA, LOVELACE, CODEX_OF_ADA, CODEX_OF_GRACE])


def mentioned(text):
    return [(text[span.start : span.end], span.mentioned) for span in find_mentions(text, KNOWN)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@Ada, look", [("@Ada", ADA)]),
        ("(@ada)", [("@ada", ADA)]),
        ("Ask @Ada Lovelace.", [("@Ada Lovelace", LOVELACE)]),
        ("@Ada and @Ada Lovelace", [("@Ada", ADA), ("@Ada Lovelace", LOVELACE)]),
        ("@Adam was here", []),
        ("ada@Ada", []),
        ("`@Ada` decorates", []),
        ("```\n@Ada\n```\nand @Ada", [("@Ada", ADA)]),
        ("~~~\n@Ada", []),
        ("@Codex (Grace), please", [("@Codex (Grace)", CODEX_OF_GRACE)]),
        ("@Codex, please", [("@Codex", None)]),
        ("\u0130 @Ada", [("@Ada", ADA)]),
    ],
)
def test_names_are_found_as_they_are_written(text, found):
    assert mentioned(text) == found


def test_mentions_stand_out_and_their_signs_are_letters():
    names = ["Ada", "my_agent_2"]
    assert emphasize_mentions("@Ada: `@Ada`, @my_agent_2", names) == r"**@Ada**: `@Ada`, **@my\_agent\_2**"
    assert emphasize_mentions("@Grace", names) == "@Grace"
