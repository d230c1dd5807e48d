"""What is saved of a hook's report: never contents."""

import pytest

from pendesk.domain.session_activity import (
    Activity,
    ActivityState,
    HookEvent,
    Step,
    activity_after,
    short_command,
    state_after,
    step_detail,
)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("pytest tests/app.py -q", "pytest tests/app.py"),
        ('git commit -m "the password is hunter2"', "git commit"),
        ("curl -H 'Authorization: Bearer abc' https://host/x", "curl"),
        ("curl https://user:secret@host/x", "curl"),
        ("TOKEN=abc DB=x npm run build", "npm run build"),
        ("export TOKEN=abc", "export"),
        ("mysql -psecret app", "mysql"),
        ("echo $SECRET", "echo"),
        ("echo 'hello'", "echo"),
        ("cat <<EOF > key.pem\n-----BEGIN PRIVATE KEY-----\nEOF", "cat"),
        ("make test lint docs serve all", "make test lint docs"),
        ("deploy " + "a" * 100, "deploy"),
        ("  \n", ""),
        ("", ""),
    ],
)
def test_of_a_command_the_first_words_are_saved_up_to_one_that_may_carry_a_secret(command: str, words: str) -> None:
    assert short_command(command) == words


def test_a_file_is_saved_by_its_path_alone_and_on_one_line() -> None:
    assert step_detail("src/app.py\nimport os", "rm -rf /") == "src/app.py"
    assert step_detail("a\u202egnp.exe\u200b", "") == "agnp.exe"
    assert len(step_detail("x/" * 1000, "")) == 200


def test_a_session_is_idle_after_its_turn_and_works_again_with_the_next_prompt() -> None:
    events = [HookEvent.USER_PROMPT, HookEvent.PERMISSION, HookEvent.AFTER_TOOLS, HookEvent.STOP, HookEvent.SESSION_END]
    assert [state_after(event) for event in events] == [
        ActivityState.WORKING,
        ActivityState.WAITING_PERMISSION,
        ActivityState.WORKING,
        ActivityState.IDLE,
        ActivityState.ENDED,
    ]


def step(event: HookEvent, at: int, **more: str) -> Step:
    return Step("workspace", "session", event, at, **more)


def test_a_state_has_lasted_since_the_step_that_began_it() -> None:
    steps = [
        step(HookEvent.USER_PROMPT, 1),
        step(HookEvent.BEFORE_TOOL, 2, tool="Edit", detail="src/app.py"),
        step(HookEvent.AFTER_TOOLS, 5),
    ]
    running = activity_after(None, steps[:2])
    assert running == Activity("session", ActivityState.WORKING, 1, 2, "", "Edit", "src/app.py", None)
    activity = activity_after(running, steps[2:])
    assert activity == Activity("session", ActivityState.WORKING, 1, 5, "", "", "", None)
    assert activity_after(activity, [step(HookEvent.STOP, 9)]) == Activity(
        "session", ActivityState.IDLE, 9, 9, "", "", "", None
    )


def test_a_step_that_was_overtaken_changes_nothing() -> None:
    idle = activity_after(None, [step(HookEvent.STOP, 9)])
    assert activity_after(idle, [step(HookEvent.AFTER_TOOLS, 8, tool="Bash")]) == idle


def test_the_end_of_a_sub_agent_is_not_the_end_of_its_roots_turn() -> None:
    for event in (HookEvent.STOP, HookEvent.SUBAGENT_STOP):
        activity = activity_after(None, [step(event, 1, thread="sub")])
        assert activity is not None
        assert activity.state == ActivityState.WORKING


def test_a_reminder_at_the_terminal_does_not_make_an_idle_session_work() -> None:
    idle = activity_after(None, [step(HookEvent.STOP, 1)])
    reminded = activity_after(idle, [step(HookEvent.NOTIFICATION, 61)])
    assert reminded is not None
    assert (reminded.state, reminded.state_since, reminded.last_step_at) == (ActivityState.IDLE, 1, 61)
