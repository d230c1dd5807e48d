import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, RoleForbids
from tests.refusals import refused


@pytest.fixture
async def owner(desk):
    return await desk.person("Owner", Role.OWNER)


async def test_the_new_name_is_what_everybody_reads(desk, owner):
    done = await desk.call(owner, "rename_workspace", name="Harbour & Sons")
    assert done["name"] == "Harbour & Sons"
    assert (await desk.call(owner, "get_context"))["workspace"] == "Harbour & Sons"


async def test_the_log_says_what_it_was_called_before(desk, owner):
    for name in ("One", "Two", "Two"):
        await desk.call(owner, "rename_workspace", name=name)
    events = (await desk.call(owner, "list_events"))["events"]
    told = [each["data"] for each in events if each["kind"] == "workspace.renamed"]
    assert len(told) == 2
    assert told[-1] == {"before": "One", "after": "Two"}


async def test_admins_may_and_members_may_not(desk, owner):
    admin, member = await desk.person("Admin", Role.ADMIN), await desk.person("Member", Role.MEMBER)
    await desk.call(admin, "rename_workspace", name="By an admin")
    with refused(RoleForbids):
        await desk.call(member, "rename_workspace", name="By a member")
    assert (await desk.call(owner, "get_context"))["workspace"] == "By an admin"


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 300])
async def test_a_name_is_one_line_with_something_in_it(desk, owner, name):
    with refused(BadField):
        await desk.call(owner, "rename_workspace", name=name)
