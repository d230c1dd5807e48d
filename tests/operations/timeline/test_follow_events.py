from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.event_filter import EventFilter
from tests.refusals import refused
from tests.workbench import next_door, published_spec

RANDOM = "01a1ded5-0000-7000-8000-000000000000"


async def test_it_tells_the_newest_number_and_what_the_filters_name(desk):
    owner = await desk.person("Ada", Role.OWNER)
    work = await published_spec(desk, owner)
    log = (await desk.call(owner, "list_events"))["events"]
    action = work.actions[0]

    async def wanted(**filters):
        position = await desk.dispatcher.call(owner, "follow_events", filters)
        assert position.seq == log[-1]["seq"]
        return position.wanted

    assert await wanted() == EventFilter()
    edges = frozenset({"edge.created", "edge.removed"})
    assert await wanted(action_pid=action["refCode"], kind=["edge.*"]) == EventFilter(
        action_id=action["pid"], kinds=edges
    )
    assert await wanted(project_id=work.project_id) == EventFilter(project_id=work.project_id)
    by = await wanted(user_pid=owner.user_id, model="opus")
    assert by == EventFilter(actor_id=owner.user_id, agent_model="opus")


async def test_what_cannot_be_seen_cannot_be_followed(desk):
    viewer = await desk.person("Grace", Role.VIEWER)
    other = await next_door(desk)
    theirs = await published_spec(other, await other.person("Ada", Role.OWNER))
    for operation in ("follow_events", "list_events"):
        for named in (
            {"project_id": theirs.project_id},
            {"action_pid": theirs.actions[0]["pid"]},
            {"project_id": RANDOM},
            {"action_pid": RANDOM},
        ):
            with refused(NotFound):
                await desk.call(viewer, operation, **named)


async def test_a_kind_that_is_none_is_refused(desk):
    viewer = await desk.person("Grace", Role.VIEWER)
    for operation in ("follow_events", "list_events", "get_timeline"):
        with refused(BadField) as caught:
            await desk.call(viewer, operation, kind=["nonsense"])
        assert caught.refusal.details["field"] == "kind"
