async def test_it_is_the_key_that_the_project_gets(desk):
    ada = await desk.person("Ada")
    for _ in range(3):
        proposed = await desk.call(ada, "propose_key", name="Harbour traffic control")
        created = await desk.call(ada, "create_project", name="Harbour traffic control")
        assert proposed == {"key": created["key"]}
    assert proposed == {"key": "HTC3"}


async def test_a_key_that_somebody_chose_is_not_proposed_again(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "create_project", name="Something else", key="HT")
    assert await desk.call(ada, "propose_key", name="Harbour traffic") == {"key": "HT2"}
