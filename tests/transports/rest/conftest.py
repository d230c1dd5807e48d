import pytest

from pendesk.domain.access import TOKEN_SCOPES
from tests.desk import HandClock, TestDesk
from tests.workbench import drafted_spec


@pytest.fixture
async def caller(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.installation, desk.dispatcher, desk.workspace = (
        served.service.installation,
        served.service.dispatcher,
        served.owner.workspace_id,
    )
    work = await drafted_spec(desk, served.owner)
    token = await desk.call(served.owner, "create_token", name="x", scopes=sorted(TOKEN_SCOPES))
    served.http.headers["Authorization"] = f"Bearer {token['token']}"
    return desk, {"spec_pid": work.spec_id, "name": "chart.png"}
