"""What is said of the code of many actions costs as many statements as of one."""

import pytest

from pendesk.operations.github.code_state import code_state_by_action_id
from pendesk.operations.operation import Call


class CountingTx:
    def __init__(self, tx):
        self.tx, self.statements = tx, 0

    def __getattr__(self, name):
        return getattr(self.tx, name)

    def all(self, sql, **values):
        self.statements += 1
        return self.tx.all(sql, **values)


@pytest.fixture
async def statements(harbor):
    """How many it takes for these actions, and what is said of them."""

    async def count(pids):
        def work(tx):
            counting = CountingTx(tx)
            states = code_state_by_action_id(Call(counting, harbor.admin, harbor.desk.installation), pids)
            return counting.statements, states

        return await harbor.desk.store.read(harbor.desk.workspace, work)

    return count


async def test_the_statements_do_not_grow_with_the_cards(harbor, statements):
    assert await statements([action["pid"] for action in harbor.work.actions]) == (1, {})
    first = await harbor.submit()
    assert (await statements([first]))[0] == 4
    second = await harbor.submit(1)
    count, states = await statements([first, second])
    assert count == 4
    assert states.keys() == {first, second}


async def test_a_pull_request_without_a_submitted_head_is_judged_by_its_own(harbor):
    """An agent that reported no commit may name its pull request alone."""
    harbor.site.runs = [{"name": "build", "head_sha": harbor.site.head, "status": "completed", "conclusion": "success"}]
    await harbor.set_token()
    pid = await harbor.submit(head_sha=None)
    await harbor.call("fetch_change", action_id=pid)
    code = await harbor.code(pid)
    assert (code["checks"]["state"], code["headSha"], code.get("parted")) == ("passed", harbor.site.head, None)
    review = await harbor.call("get_review", action_id=pid)
    assert "without a commit" in review["submission"]["fetch"]["problem"]
