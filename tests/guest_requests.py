"""What a guest sent in, for tests to be about. The page that guests write on comes later; the store takes it now."""

from typing import Any

from pendesk.domain.guest_request import GuestRequest
from pendesk.ids import new_id
from pendesk.operations.dispatch import Store
from pendesk.store import guest_requests
from pendesk.store.engine.tx import Tx
from tests.desk import TestDesk

SHARE = """
INSERT INTO shares (workspace_id, id, project_id, hash, created_by, created_at)
VALUES (:workspace, :id, :project_id, :hash, '', 0)
"""


async def guest_item(desk: TestDesk, project_id: str, body: str = "It does not work.", name: str = "Guest") -> str:
    return await put_item(desk.store, desk.workspace, project_id, body, name, desk.clock())


async def put_item(store: Store, workspace: str, project_id: str, body: str, name: str, now: int) -> str:
    item = GuestRequest(new_id(), project_id, new_id(), name, body, "pending", now, None, None, None, "", None)

    def add(tx: Tx) -> Any:
        tx.run(SHARE, id=item.share_id, project_id=project_id, hash=new_id())
        guest_requests.add(tx, item)

    await store.write(workspace, add)
    return item.id


async def fill_inbox(desk: TestDesk, project_id: str, share_id: str, count: int) -> None:
    """So many items that wait, by one share."""

    def add(tx: Tx) -> None:
        for _ in range(count):
            item = GuestRequest(new_id(), project_id, share_id, "", "x", "pending", 0, None, None, None, "x", None)
            guest_requests.add(tx, item)

    await desk.store.write(desk.workspace, add)
