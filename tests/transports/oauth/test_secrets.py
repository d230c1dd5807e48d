"""After every kind of sign-in: nothing usable lies in the database or in the log."""

import logging

from tests.sites import SAME
from tests.transports.oauth.walk import PASSWORD, VERIFIER, hidden


async def test_a_dump_of_the_database_and_the_log_hold_no_usable_secret(walk, caplog):
    caplog.set_level(logging.DEBUG)
    email = f"dump-{id(walk)}@example.com"
    user = await walk.call("create_user", name="Dump", email=email)
    await walk.call("set_password", password=PASSWORD, user_pid=user.user_id)
    client = await walk.register()
    asked = {"params": walk.asking(client), "headers": SAME}
    await walk.http.post("/oauth/authorize", data={"email": email, "password": PASSWORD}, **asked)
    session = walk.http.cookies["pendesk_session"]
    page = await walk.authorize(client)
    open_ticket = hidden(await walk.authorize(client))["ticket"]
    unused_code = await walk.code(client)
    told = await walk.tokens(client)
    fresh = (await walk.refresh(client, told["refresh_token"])).json()
    device = (await walk.http.post("/oauth/device_authorization", data={"client_id": client})).json()
    await walk.mcp(fresh["access_token"])
    await walk.redeem(client, unused_code, code_verifier="w" * 64)
    await walk.http.get(f"/oauth/authorize?code={told['access_token']}")
    secrets = [
        PASSWORD,
        VERIFIER,
        session,
        hidden(page)["ticket"],
        open_ticket,
        unused_code,
        *(issued[name] for issued in (told, fresh) for name in ("access_token", "refresh_token")),
        device["device_code"],
        device["user_code"],
        device["user_code"].replace("-", ""),
    ]
    dump = await walk.served.service.dispatcher.store.read("", _dump)
    assert "oauth_refresh_tokens" in dump
    log = "\n".join(str(vars(record)) for record in caplog.records if not record.name.startswith("http"))
    assert "/oauth/token" in log
    for secret in secrets:
        assert secret not in dump
        assert secret not in log


def _dump(tx):
    nouns = ["tokens", "sessions", "sign_in_links", "users", "events", "idempotency_keys"]
    nouns += [f"oauth_{noun}" for noun in ("clients", "consents", "codes", "grants", "refresh_tokens", "devices")]
    return "\n".join(f"{noun}: {tx.all(f'SELECT * FROM {noun}')}" for noun in nouns)
