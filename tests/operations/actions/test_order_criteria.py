"""In which order the criteria of an action stand."""

from pendesk.domain.errors import BadField, RevisionConflict
from tests.refusals import refused
from tests.workbench import drafted_spec


async def test_criteria_stand_as_they_were_put_which_is_a_revision_of_the_action(desk, ada):
    work = await drafted_spec(desk, ada, actions=1, criteria=3)
    (action,) = work.actions
    one, two, three = action["criteria"]
    told = await desk.call(ada, "order_criteria", action_id=action["pid"], criterion_ids=[two, three, one])
    assert [each["id"] for each in told["criteria"]] == [two, three, one]
    assert told["revision"] == 2
    again = await desk.call(ada, "order_criteria", action_id=action["pid"], criterion_ids=[two, three, one])
    assert again["revision"] == 2
    read = await desk.call(ada, "get_action", action_id=action["pid"])
    assert [each["id"] for each in read["criteria"]] == [two, three, one]


async def test_each_is_named_once_and_nobody_is_overwritten(desk, ada):
    work = await drafted_spec(desk, ada, actions=1)
    (action,) = work.actions
    with refused(BadField):
        await desk.call(ada, "order_criteria", action_id=action["pid"], criterion_ids=action["criteria"][:1])
    await desk.call(ada, "update_action", action_id=action["pid"], label="Else")
    with refused(RevisionConflict):
        ids = action["criteria"][::-1]
        await desk.call(ada, "order_criteria", action_id=action["pid"], criterion_ids=ids, expected_revision=1)
