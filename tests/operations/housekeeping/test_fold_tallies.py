"""Every workspace has its turn when the counts of its actions are folded."""

from pendesk.domain.access import Role
from pendesk.operations.housekeeping import fold_tallies
from tests.desk import TestDesk

UNFOLDED = "SELECT count(*) FROM action_tallies WHERE id <> ''"


async def test_workspaces_beyond_the_first_page_are_folded_too(fresh, monkeypatch):
    monkeypatch.setattr(fold_tallies, "PAGE", 2)
    for name in ("Harbour", "Quay", "Pier", "Dock", "Mole"):
        desk = await TestDesk(fresh.store, fresh.clock).open(name)
        ada = await desk.person("Ada", Role.ADMIN)
        project = await desk.call(ada, "create_project", name=name)
        await desk.call(ada, "create_task", project_id=project["pid"], label="Paint it")
    assert await fresh.store.read("", lambda tx: tx.all(UNFOLDED)) == [(5,)]
    await fresh.dispatcher.call_as_server(fold_tallies.OPERATION, None)
    assert await fresh.store.read("", lambda tx: tx.all(UNFOLDED)) == [(0,)]
