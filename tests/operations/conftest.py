import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark, session_name


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def grace(desk):
    return await desk.person("Grace")


@pytest.fixture
async def project(desk, ada):
    return await desk.call(ada, "create_project", name="Pendesk")


@pytest.fixture
async def token(desk, ada):
    return (await desk.call(ada, "create_token", name="Ada's laptop", scopes=["specs.read", "builds.write"]))["tokenId"]


@pytest.fixture
def terminal(ada, token):
    """A terminal of Ada's: terminal(process="1"), terminal(client="codex", client_session="a")."""

    def make(*, client="claude-code", machine="ada-laptop", token_id=None, thread="", tool_use_id="", **marks):
        kinds = {"given": MarkKind.GIVEN, "client_session": MarkKind.CLIENT, "process": MarkKind.PROCESS}
        origin = CallOrigin(
            client=client,
            machine=machine,
            marks=frozenset(make_mark(kinds[name], value) for name, value in marks.items()),
            thread=thread,
            tool_use_id=tool_use_id,
            session_name=session_name(marks.get("given", "")),
        )
        return ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token_id or token, origin=origin)

    return make
