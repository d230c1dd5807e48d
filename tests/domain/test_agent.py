import pytest

from pendesk.domain.agent import AgentIdentity, agent_identity, default_agent_name, known_client, unique_agent_name
from pendesk.domain.limits import NAME_CHARS


@pytest.mark.parametrize(
    ("text", "client"),
    [
        ("claude-code", "claude-code"),
        ("claude-code/2.1.325 (cli)", "claude-code"),
        ("Claude Code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("codex_cli_rs/0.166.0", "codex"),
        ("Cursor/1.0", "cursor"),
        ("pendesk-cli/0.1", ""),
        ("python-httpx/0.28", ""),
        ("", ""),
    ],
)
def test_a_client_is_known_by_what_it_calls_itself(text, client):
    assert known_client(text) == client


@pytest.mark.parametrize(
    ("client", "machine", "token", "identity"),
    [
        ("codex", "ada-laptop", "token-1", ("codex", "ada-laptop", "")),
        ("codex", "", "token-1", ("codex", "", "token-1")),
        ("codex", "", None, ("codex", "", "")),
        ("", "ada-laptop", "token-1", ("", "ada-laptop", "token-1")),
    ],
)
def test_an_agent_is_its_client_on_its_machine_or_else_its_token(client, machine, token, identity):
    assert agent_identity(client, machine, token) == AgentIdentity(*identity)


def test_an_agent_is_called_as_its_client_or_token_and_its_machine():
    assert default_agent_name("claude-code", "ada-laptop", "Ada's token") == "Claude Code on ada-laptop"
    assert default_agent_name("codex", "", "Ada's token") == "Codex"
    assert default_agent_name("", "", "Nightly job") == "Nightly job"
    assert default_agent_name("", "", "") == "Agent"
    assert default_agent_name("", "ada-laptop", "harbour on ada-laptop") == "harbour on ada-laptop"
    assert len(default_agent_name("", "m" * 60, "n" * 100)) == NAME_CHARS


def test_two_agents_of_a_user_never_have_one_name():
    assert unique_agent_name("Codex", {"Claude Code"}) == "Codex"
    assert unique_agent_name("Codex", {"Codex", "Codex 2"}) == "Codex 3"
