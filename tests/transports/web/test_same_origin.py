"""What a cookie authenticates is changed by our own pages only, and every answer carries the headers that say so."""

import pytest

from pendesk.transports.security_headers import DEFAULTS
from tests.transports.served import serving


async def signed_in(served):
    code = (await served.link()).partition("code=")[2]
    answer = await served.http.post("/sign-in", data={"code": code})
    assert answer.status_code == 303
    return answer


@pytest.mark.parametrize(
    ("public", "headers", "status"),
    [
        ("http://127.0.0.1:3847", {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:3847"}, 303),
        ("http://127.0.0.1:3847", {"origin": "http://127.0.0.1:3847"}, 303),
        ("http://127.0.0.1:3847", {"origin": "http://localhost:3847", "host": "localhost:3847"}, 303),
        ("http://127.0.0.1:3847", {"origin": "http://localhost:9999", "host": "localhost:3847"}, 403),
        ("http://127.0.0.1:3847", {"origin": "https://127.0.0.1:3847"}, 403),
        ("http://127.0.0.1:3847", {"sec-fetch-site": "cross-site", "origin": "http://127.0.0.1:3847"}, 403),
        ("http://127.0.0.1:3847", {"sec-fetch-site": ""}, 403),
        # A proxy that passes another Host on does not stop our own pages, and plain http is not ours.
        ("https://desk.example.com", {"origin": "https://desk.example.com", "host": "127.0.0.1:3847"}, 303),
        ("https://desk.example.com", {"origin": "http://desk.example.com"}, 403),
        ("https://desk.example.com", {"origin": "https://desk.example.com.evil.test"}, 403),
        ("https://desk.example.com", {"origin": "http://127.0.0.1:3847", "host": "127.0.0.1:3847"}, 403),
    ],
)
async def test_a_form_comes_from_our_own_page(tmp_path, public, headers, status):
    async with serving(tmp_path, url=public) as served:
        await signed_in(served)
        assert (await served.http.post("/sign-out", headers=headers)).status_code == status


async def test_tls_is_demanded_for_a_year_where_the_public_url_has_it(tmp_path):
    async with serving(tmp_path, url="https://desk.example.com") as served:
        assert (await served.http.get("/")).headers["strict-transport-security"] == "max-age=31536000"
    async with serving(tmp_path) as served:
        assert "strict-transport-security" not in (await served.http.get("/")).headers


async def test_every_answer_has_the_headers_also_that_of_a_fault_outside_the_routes(served):
    for answer in (
        await served.http.post("/mcp", json={}),
        await served.http.get("/", headers={"host": "evil.test"}),
        await served.http.post("/sign-in", content=b"x" * 1_000_001),
        await served.http.post("/sign-in", content=b"x", headers={"content-length": "no number"}),
        await served.http.get("/oauth/authorize"),
    ):
        for name in DEFAULTS:
            assert name.lower() in answer.headers, (answer.status_code, name)


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        yield running


async def test_every_cookie_is_out_of_reach(tmp_path):
    async with serving(tmp_path, url="https://desk.example.com") as served:
        await served.service.dispatcher.call(served.owner, "create_user", {"name": "Ada", "email": "ada@example.com"})
        fields = {"user_pid": "ada@example.com", "password": "correct horse"}
        await served.service.dispatcher.call(served.owner, "set_password", fields)
        answer = await served.http.post("/sign-in", data={"email": "ada@example.com", "password": "correct horse"})
        cookies = answer.headers.get_list("set-cookie")
        assert sorted(cookie.partition("=")[0] for cookie in cookies) == [
            "__Host-pendesk_known",
            "__Host-pendesk_session",
        ]
        for cookie in cookies:
            assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Path=/;", "Secure"))
            assert "domain" not in cookie.lower()
