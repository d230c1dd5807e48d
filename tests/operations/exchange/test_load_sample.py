async def test_the_sample_project_loads_and_has_work_to_claim(desk):
    ada = await desk.person("Ada")
    loaded = await desk.call(ada, "load_sample")
    assert (loaded["loaded"], loaded["key"], loaded["name"]) == (True, "HRB", "Harbour")
    assert loaded["published"] >= 1
    specs = (await desk.call(ada, "list_available_specs"))["specs"]
    first = specs[0]["actions"][0]
    assert (await desk.call(ada, "claim_action", action_pid=first["pid"]))["status"] == "started"


async def test_a_second_time_changes_nothing(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "load_sample")
    before = await desk.call(ada, "list_events", after=0)
    answer = await desk.call(ada, "load_sample")
    assert (answer["loaded"], answer["key"]) == (False, "HRB")
    assert await desk.call(ada, "list_events", after=0) == before
