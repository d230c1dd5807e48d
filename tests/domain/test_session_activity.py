"""What is saved of a hook's report: never contents."""

import pytest

from pendesk.domain.session_activity import ActivityState, HookEvent, short_command, state_after, step_detail


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
