import pytest

from tests.transports.oauth.walk import Walk
from tests.transports.served import serving

SERVER = ["/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp"]
RESOURCE = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]


@pytest.mark.parametrize("path", SERVER)
async def test_the_authorization_server_describes_itself(served, path):
    answer = await served.http.get(path)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "issuer": "http://127.0.0.1:3847",
        "authorization_endpoint": "http://127.0.0.1:3847/oauth/authorize",
        "token_endpoint": "http://127.0.0.1:3847/oauth/token",
        "registration_endpoint": "http://127.0.0.1:3847/oauth/register",
        "revocation_endpoint": "http://127.0.0.1:3847/oauth/revoke",
        "device_authorization_endpoint": "http://127.0.0.1:3847/oauth/device_authorization",
        "scopes_supported": ["specs.read", "builds.write"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
    }


@pytest.mark.parametrize("path", RESOURCE)
async def test_the_resource_describes_itself(served, path):
    told = (await served.http.get(path)).json()
    assert told["resource"] == "http://127.0.0.1:3847/mcp"
    assert told["authorization_servers"] == ["http://127.0.0.1:3847"]
    assert told["scopes_supported"] == ["specs.read", "builds.write"]
    assert told["bearer_methods_supported"] == ["header"]


@pytest.mark.parametrize("path", [*SERVER, *RESOURCE])
async def test_the_host_header_changes_nothing(tmp_path, path):
    async with serving(tmp_path, url="https://pendesk.example.com", host="0.0.0.0") as served:
        headers = {"host": "evil.test", "x-forwarded-host": "evil.test", "forwarded": "host=evil.test"}
        answer = await served.http.get(path, headers=headers)
        assert answer.status_code == 200
        assert "evil" not in answer.text
        assert "https://pendesk.example.com" in answer.text


async def test_a_setting_changes_what_is_advertised(tmp_path):
    async with serving(tmp_path, advertised_scopes="desk.read specs.read") as served:
        for path in (*SERVER, *RESOURCE):
            assert (await served.http.get(path)).json()["scopes_supported"] == ["specs.read", "desk.read"]
        for answer in (await served.http.get("/mcp"), await served.http.post("/mcp")):
            assert 'scope="specs.read desk.read"' in answer.headers["www-authenticate"]


async def test_self_describing_clients_are_advertised_only_when_on(tmp_path):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        assert (await served.http.get(SERVER[0])).json()["client_id_metadata_document_supported"] is True


async def test_only_get(served):
    for path in (*SERVER, *RESOURCE):
        assert (await served.http.post(path)).status_code == 405
    assert (await served.http.get("/.well-known/openid-configuration")).status_code == 404


async def test_a_401_starts_the_flow_on_get_and_post(served):
    walk = Walk(served)
    expected = (
        'Bearer resource_metadata="http://127.0.0.1:3847/.well-known/oauth-protected-resource", '
        'scope="specs.read builds.write"'
    )
    for path in ("/mcp", "/mcp/"):
        for answer in (await served.http.get(path), await served.http.post(path), await served.http.delete(path)):
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == expected
    answer = await walk.mcp("pendesk_oat_" + "0" * 49)
    assert answer.headers["www-authenticate"] == f'{expected}, error="invalid_token"'
