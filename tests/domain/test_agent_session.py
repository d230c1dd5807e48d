import pytest

from pendesk.domain.agent_session import (
    CallOrigin,
    MarkKind,
    Relation,
    bearer_mark,
    first_free_number,
    is_silent,
    make_mark,
    relation_to_session,
    rotate_by_caller,
    session_label,
    session_name,
)
from pendesk.domain.limits import SESSION_NAME_CHARS
from tests.domain.nouns import a_session

GIVEN, CLIENT, PROCESS = MarkKind.GIVEN, MarkKind.CLIENT, MarkKind.PROCESS


def marks(*pairs):
    return frozenset(make_mark(kind, value) for kind, value in pairs)


def relation(mine, theirs, *, client="codex", token="token-1"):
    return relation_to_session(CallOrigin(client=client, marks=marks(*mine)), token, a_session(), marks(*theirs))


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        # One equal mark is enough, whatever else differs.
        ([(PROCESS, "1")], [(PROCESS, "1")], Relation.SAME),
        ([(PROCESS, "2"), (CLIENT, "a")], [(PROCESS, "1"), (CLIENT, "a")], Relation.SAME),
        ([(PROCESS, "1"), (CLIENT, "b")], [(PROCESS, "1"), (CLIENT, "a")], Relation.SAME),
        ([(GIVEN, "job")], [(GIVEN, "job"), (PROCESS, "1")], Relation.SAME),
        # A mark of the same kind differs, and none is equal.
        ([(PROCESS, "2")], [(PROCESS, "1")], Relation.OTHER_SESSION),
        ([(PROCESS, "2")], [(PROCESS, "1"), (CLIENT, "a")], Relation.OTHER_SESSION),
        ([(CLIENT, "b")], [(CLIENT, "a"), (CLIENT, "c")], Relation.OTHER_SESSION),
        # Marks of different kinds, or none, tell nothing.
        ([(PROCESS, "1")], [(CLIENT, "1")], Relation.UNKNOWN),
        ([], [(PROCESS, "1")], Relation.UNKNOWN),
        ([(PROCESS, "1")], [], Relation.UNKNOWN),
        ([], [], Relation.UNKNOWN),
    ],
)
def test_marks_tell_sessions_apart(mine, theirs, expected):
    assert relation(mine, theirs) == expected


def test_another_client_is_another_session_unless_a_mark_is_equal():
    assert relation([], [], client="claude-code") == Relation.OTHER_SESSION
    assert relation([(GIVEN, "x")], [(GIVEN, "x")], client="claude-code") == Relation.SAME


def test_a_client_that_is_not_known_tells_nothing():
    """Our own command line is neutral: an agent's shell has it beside MCP."""
    assert relation([], [], client="") == Relation.UNKNOWN


def test_another_token_is_another_session_unless_a_mark_is_equal():
    assert relation([], [], token="token-2") == Relation.OTHER_SESSION
    assert relation([(PROCESS, "1")], [(PROCESS, "1")], token="token-2") == Relation.SAME


def test_calls_without_marks_share_a_record_but_are_not_the_same_session():
    origin = CallOrigin(client="codex")
    shared = frozenset({bearer_mark("token-1", origin)})
    assert relation_to_session(origin, "token-1", a_session(), shared) == Relation.UNKNOWN
    marked = CallOrigin(client="codex", marks=marks((PROCESS, "1")))
    assert relation_to_session(marked, "token-1", a_session(), shared) == Relation.UNKNOWN


def test_a_mark_holds_nothing_of_what_was_sent():
    mark = make_mark(GIVEN, "ci job 7" * 100)
    assert "ci job" not in mark
    assert len(mark) == len("given:") + 32


def test_the_first_session_of_an_agent_has_the_agents_name_and_the_others_a_number():
    assert session_label("Codex", 1, "") == "Codex"
    assert session_label("Codex", 2, "") == "Codex #2"


def test_a_session_that_was_given_a_name_has_it_instead_of_a_number():
    assert session_label("Codex", 2, "api") == "Codex (api)"


def test_a_given_name_is_a_short_name_whatever_was_sent():
    assert session_name("github:7/1 build@runner-3") == "github:7/1 build@runner-3"
    assert session_name("  <b>left</b>) (Grace \x1b[31m ") == "b left /b Grace 31m"
    assert session_name("x" * 200) == "x" * SESSION_NAME_CHARS
    assert session_name("()") == session_name("") == ""


def test_a_session_takes_the_first_number_that_no_live_one_has():
    assert first_free_number(set()) == 1
    assert first_free_number({1, 3}) == 2


def test_a_session_is_silent_after_a_while_and_once_it_has_ended():
    assert not is_silent(a_session(), 0, 99, 100)
    assert is_silent(a_session(), 0, 100, 100)
    assert is_silent(a_session(ended_at=1), 1, 2, 100)


def test_what_to_claim_instead_begins_elsewhere_for_each_session_and_the_same_for_one():
    refs = [f"PEN-{number}" for number in range(10)]

    def first_ref(number):
        rotated = rotate_by_caller(refs, CallOrigin(marks=frozenset({make_mark(MarkKind.PROCESS, str(number))})))
        assert sorted(rotated) == sorted(refs)
        return rotated[0]

    assert len({first_ref(number) for number in range(30)}) > 5
    assert first_ref(1) == first_ref(1)


def test_without_a_mark_the_call_decides_and_without_either_the_order_stays():
    refs = [f"PEN-{number}" for number in range(10)]
    orders = {tuple(rotate_by_caller(refs, CallOrigin(tool_use_id=f"toolu_{number}"))) for number in range(30)}
    assert len(orders) > 5
    assert rotate_by_caller(refs, CallOrigin()) == refs
    assert rotate_by_caller([], CallOrigin(tool_use_id="toolu_1")) == []
