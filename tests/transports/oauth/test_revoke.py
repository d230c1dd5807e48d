import pytest


@pytest.fixture
async def client(walk):
    await walk.sign_in()
    return await walk.register()


async def revoke(walk, secret, **fields):
    return await walk.http.post("/oauth/revoke", data={"token": secret, **fields})


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
async def test_a_public_client_signs_out_without_a_secret(walk, client, which):
    told = await walk.tokens(client)
    answer = await revoke(walk, told[which], client_id=client, token_type_hint=which)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["cache-control"] == "no-store"
    assert (await walk.mcp(told["access_token"])).status_code == 401
    assert (await walk.refresh(client, told["refresh_token"])).status_code == 400


async def test_unknown_tokens_are_no_error(walk, client):
    for secret in ("x", "pendesk_oat_" + "0" * 49, "pendesk_ort_x", "~" * 1_000):
        assert (await revoke(walk, secret, client_id=client)).status_code == 200
    assert (await revoke(walk, "", client_id=client)).json()["error"] == "invalid_request"


async def test_a_personal_token_is_left_alone(walk, client):
    made = await walk.call("create_token", name="CI")
    assert (await revoke(walk, made.token, client_id=client)).status_code == 200
    assert (await walk.mcp(made.token)).status_code == 200


async def test_another_client_cannot_end_it(walk, client):
    told = await walk.tokens(client)
    answer = await revoke(walk, told["access_token"], client_id="penling-mcp")
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    assert (await walk.mcp(told["access_token"])).status_code == 200


async def test_what_a_person_ends_is_ended_at_the_next_request(walk, client):
    told = await walk.tokens(client)
    assert (await walk.mcp(told["access_token"])).status_code == 200
    grants = (await walk.call("list_grants")).grants
    await walk.call("revoke_grant", grant_id=grants[0].grant_id)
    assert (await walk.mcp(told["access_token"])).status_code == 401
    assert (await walk.refresh(client, told["refresh_token"])).status_code == 400
