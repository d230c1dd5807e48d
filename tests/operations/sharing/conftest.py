from typing import Any

import pytest

from pendesk.domain.access import Actor
from tests.desk import TestDesk
from tests.workbench import Work, published_spec


@pytest.fixture
async def ada(desk: TestDesk) -> Actor:
    return await desk.person("Ada")


@pytest.fixture
async def work(desk: TestDesk, ada: Actor) -> Work:
    return await published_spec(desk, ada, chain=True)


@pytest.fixture
def share(desk: TestDesk, ada: Actor, work: Work) -> Any:
    """Makes a share of the work's project; gives the secret in its link, and the share."""

    async def made(**more: Any) -> tuple[str, dict[str, Any]]:
        answer = await desk.call(ada, "create_share", project_id=work.project_id, **more)
        return answer["url"].rpartition("/")[2], answer["share"]

    return made
