import pytest

from pendesk.domain.access import PLANNING_SCOPES


@pytest.fixture
def agent(terminal):
    """Claude Code on ada-laptop, with the planning tools."""
    return terminal(process="1")._replace(scopes=PLANNING_SCOPES)


@pytest.fixture
async def spec(desk, ada, project):
    return await desk.call(
        ada,
        "create_spec",
        project_id=project["pid"],
        title="Sign in",
        summary="People sign in.",
        results=["A session lasts a day", "Signing out ends it"],
        boundaries=["No single sign-on"],
    )


@pytest.fixture
async def plan(desk, ada, spec):
    plan = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="Plan", approach="Cookies.")
    await desk.call(
        ada, "create_action", plan_id=plan["pid"], label="Add a table", criteria=["It is there", "It is small"]
    )
    return plan
