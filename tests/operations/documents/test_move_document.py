"""Where a document stands in the tree."""

import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DOCUMENT_DEPTH
from tests.events import events_of
from tests.refusals import refused


@pytest.fixture
async def tree(desk, ada, project):
    """a, with b below it, with c below that."""
    items: list[str] = []
    for title in "abc":
        under = {"parent_id": items[-1]} if items else {}
        items.append((await desk.call(ada, "create_document", project_id="PEN", title=title, **under))["pid"])
    return items


async def test_a_document_moves_and_its_text_stays_as_it_is(desk, ada, tree):
    a, b, c = tree
    moved = await desk.call(ada, "move_document", document_id=c, parent_id=a)
    assert (moved["parentId"], moved["revision"]) == (a, 1)
    moved = await desk.call(ada, "move_document", document_id=b, parent_id="")
    assert moved["parentId"] is None
    await desk.call(ada, "move_document", document_id=b, parent_id="")
    assert len(await events_of(desk, ada, "document.moved")) == 2


async def test_no_document_stands_below_itself(desk, ada, tree):
    a, b, c = tree
    for parent in (a, b, c):
        with refused(BadField):
            await desk.call(ada, "move_document", document_id=a, parent_id=parent)


async def test_a_document_stays_in_its_project_and_a_tree_has_an_end(desk, ada, tree):
    other = await desk.call(ada, "create_project", name="Other")
    foreign = await desk.call(ada, "create_document", project_id=other["pid"], title="x")
    with refused(BadField):
        await desk.call(ada, "move_document", document_id=tree[0], parent_id=foreign["pid"])
    deepest = tree[2]
    for _ in range(DOCUMENT_DEPTH - 3):
        document = await desk.call(ada, "create_document", project_id="PEN", title="x", parent_id=deepest)
        deepest = document["pid"]
    loose = await desk.call(ada, "create_document", project_id="PEN", title="loose")
    with refused(BadField):
        await desk.call(ada, "move_document", document_id=loose["pid"], parent_id=deepest)
