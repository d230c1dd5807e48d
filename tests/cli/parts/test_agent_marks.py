"""The marks of an agent session: from the environment, from the processes above, and none that is not certain."""

import pytest

from pendesk.cli.parts.agent_marks import AgentMarks, agent_marks_in
from pendesk.cli.parts.process_ancestry import Process, process_mark

CLAUDE = Process(752, 750, "4505365", "claude", "/opt/claude-code/bin/claude.exe", ("claude", "-p"))
CODEX = Process(969, 967, "4508142", "codex", "/opt/codex/bin/codex", ("codex", "exec"))
SH = Process(766, 752, "4505454", "sh", "/usr/bin/dash", ("/bin/sh", "-c"))
PYTHON = Process(767, 766, "4505454", "python3", "/usr/bin/python3.11", ("python3", "run.py"))
OF_CLAUDE = {"CLAUDECODE": "1", "CLAUDE_PID": "752", "CLAUDE_CODE_SESSION_ID": "77cef054"}
OF_CODEX = {"CODEX_SESSION_ID": "01a1e3e4", "CODEX_THREAD_ID": "01a1e3e4"}


def marks(environ=None, ancestors=(), *, is_terminal=False, hook_input=None) -> AgentMarks:
    return agent_marks_in(environ or {}, list(ancestors), is_terminal, hook_input or {})


def test_one_process_has_one_mark_for_headers_hooks_and_shell_commands():
    helper = marks({"CLAUDE_CODE_ENTRYPOINT": "cli"}, [SH, CLAUDE])
    hook = marks(OF_CLAUDE, [SH, CLAUDE], hook_input={"session_id": "77cef054"})
    command = marks(OF_CLAUDE, [PYTHON, SH, CLAUDE])
    assert helper.process == hook.process == command.process == process_mark(CLAUDE)
    assert (helper.client_session, hook.client_session, command.client_session) == (
        None,
        "claude-code:77cef054",
        "claude-code:77cef054",
    )
    assert {helper.client, hook.client, command.client} == {"claude-code"}


def test_what_a_person_types_has_no_mark_but_the_machine():
    terminals = [
        Process(3, 2, "9", "bash", "/usr/bin/bash", ("-bash",)),
        Process(2, 1, "8", "sshd-session", "/usr/sbin/sshd", ("sshd: ada",)),
        Process(7, 1, "8", "tmux: server", "/usr/bin/tmux", ("tmux",)),
        Process(8, 1, "8", "cursor", "/opt/cursor/cursor", ("cursor",)),
        Process(9, 1, "8", "Claude", "/Applications/Claude.app/Contents/MacOS/Claude", ()),
        Process(1, 0, "1", "systemd", "", ("/sbin/init",)),
    ]
    typed = marks({}, terminals, is_terminal=True)
    assert typed == AgentMarks(machine=typed.machine)


@pytest.mark.parametrize(
    "process",
    [
        CLAUDE,
        CLAUDE._replace(
            name="node", executable="/usr/bin/node", arguments=("node", "/lib/@anthropic-ai/claude-code/c")
        ),
        CLAUDE._replace(name="2.1.325", executable="/home/ada/.local/share/claude/versions/2.1.325"),
        CLAUDE._replace(name="claude", executable=""),
    ],
    ids=["program", "script", "native", "of another user"],
)
def test_claude_code_is_known_however_it_was_installed(process):
    assert marks({}, [SH, process]).process == process_mark(process)


def test_a_script_named_like_a_client_is_none():
    wrapper = Process(5, 4, "3", "claude", "/usr/bin/bash", ("/bin/bash", "/home/ada/bin/claude"))
    folder = Process(5, 4, "3", "python3", "/usr/bin/python3", ("python3", "/home/ada/claude-code/run.py"))
    menu = Process(5, 4, "3", "codexbar", "/Applications/CodexBar.app/codexbar", ("codexbar",))
    assert marks({}, [wrapper, folder, menu]).client is None
    assert marks({"CLAUDE_PID": "5"}, [wrapper]).client is None


def test_the_nearest_client_counts_and_variables_of_one_further_up_do_not():
    inner = CLAUDE._replace(pid=900, started="4600000")
    nested = marks(OF_CLAUDE, [SH, inner, SH, CLAUDE])
    assert (nested.process, nested.client_session) == (process_mark(inner), None)
    codex_in_claude = marks({**OF_CLAUDE, **OF_CODEX}, [SH, CODEX, SH, CLAUDE])
    assert (codex_in_claude.client, codex_in_claude.client_session) == ("codex", "codex:01a1e3e4")
    claude_in_codex = marks({**OF_CLAUDE, **OF_CODEX}, [SH, CLAUDE, SH, CODEX])
    assert claude_in_codex.client_session == "claude-code:77cef054"
    assert claude_in_codex.thread is None


def test_codex_names_its_session_and_the_thread_of_a_sub_agent_but_no_process():
    root = marks(OF_CODEX, [SH, CODEX])
    assert (root.client_session, root.thread, root.process) == ("codex:01a1e3e4", None, None)
    sub_agent = marks({**OF_CODEX, "CODEX_THREAD_ID": "01a1ffff"}, [SH, CODEX])
    assert (sub_agent.client_session, sub_agent.thread) == ("codex:01a1e3e4", "01a1ffff")
    assert marks({"CODEX_THREAD_ID": "01a1ffff"}, [SH, CODEX]).client_session is None
    sandbox = CODEX._replace(name="codex-linux-san", executable="")
    assert marks(OF_CODEX, [SH, sandbox]).client_session == "codex:01a1e3e4"


def test_a_sandbox_hides_the_process_but_not_the_session():
    sandboxed = marks(OF_CODEX, [])
    assert (sandboxed.client_session, sandboxed.process) == ("codex:01a1e3e4", None)
    assert marks(OF_CLAUDE, []).client_session == "claude-code:77cef054"


def test_variables_alone_are_not_enough_on_a_terminal_or_of_two_clients():
    for unclear in (marks(OF_CLAUDE, [], is_terminal=True), marks({**OF_CLAUDE, **OF_CODEX}, [])):
        assert unclear == AgentMarks(machine=unclear.machine)


@pytest.mark.parametrize(
    ("environ", "client"),
    [
        ({"CURSOR_AGENT": "1"}, "cursor"),
        ({"GEMINI_CLI": "1"}, "gemini-cli"),
        ({"AI_AGENT": "devin@1"}, "devin"),
        ({"AI_AGENT": "claude-code_2-1-325_agent"}, "claude-code"),
    ],
)
def test_other_clients_are_named_by_their_variable(environ, client):
    named = marks(environ, is_terminal=True)
    assert named == AgentMarks(client=client, machine=named.machine)


def test_a_hook_of_an_unknown_client_names_no_session():
    assert marks({}, [SH], hook_input={"session_id": "x"}).client_session is None
    assert marks({}, [SH, CLAUDE], hook_input={"session_id": ["x"]}).client_session is None


def test_the_session_of_a_hook_is_newer_than_that_of_the_environment():
    cleared = marks(OF_CLAUDE, [SH, CLAUDE], hook_input={"session_id": "after-clear", "source": "clear"})
    assert cleared.client_session == "claude-code:after-clear"


def test_a_connection_outlives_the_sessions_of_its_client():
    lasting = marks({**OF_CLAUDE, "PENDESK_SESSION": "left"}, [SH, CLAUDE]).of_connection()
    assert set(lasting.headers()) == {"X-Pendesk-Session", "X-Pendesk-Process", "X-Pendesk-Client", "X-Pendesk-Machine"}


def test_the_session_is_the_chosen_one_else_the_ci_job():
    job = {"CI_SERVER_HOST": "gitlab.example.com", "CI_JOB_ID": "7"}
    assert marks({**job, "PENDESK_SESSION": "left"}).session == "left"
    assert marks({**job, "PENDESK_SESSION": ""}).session == "gitlab:gitlab.example.com:7"
    assert marks().session is None


def test_values_are_safe_in_a_header_and_stay_different():
    def sent(text: str) -> str | None:
        return AgentMarks(session=text).headers().get("X-Pendesk-Session")

    assert sent("left\r\nX-Evil: 1\x00") == "leftX-Evil: 1"
    assert sent("gr\u00f6\u00dfe \U0001f419") == "gr\\xf6\\xdfe \\U0001f419"
    assert sent(" \n") is None
    assert sent("x" * 200) == "x" * 200
    long, other = sent("x" * 300), sent("x" * 300 + "y")
    assert long is not None
    assert (len(long), long != other) == (200, True)
