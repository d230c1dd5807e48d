"""What holds for every request, whatever its route."""

import itertools
import logging

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pendesk.domain.errors import Unavailable
from pendesk.transports import health
from pendesk.transports.single_headers import SINGLE
from tests.transports.served import serving


async def test_an_unknown_address_and_a_wrong_method_get_the_one_error_body(served):
    for path in ("/nothing", "/api/v1/nothing", "/sign-in/"):
        answer = await served.http.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    answer = await served.http.delete("/sign-in")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


async def test_a_page_outside_may_load_the_manifest_that_it_names(served):
    page = await served.http.get("/sign-in", headers={"accept": "text/html"})
    assert 'rel="manifest"' in page.text
    assert "manifest-src 'self'" in page.headers["content-security-policy"]


async def test_security_headers_are_on_every_answer(served):
    for path in ("/", "/nothing", "/api/v1/health", "/static/pendesk.css"):
        headers = (await served.http.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert len(headers["x-request-id"]) == 16
        assert "server" not in headers


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/nothing"])
async def test_a_body_over_the_limit_is_413_told_or_not(served, path):
    async def chunks():
        for _ in range(20):
            yield b"x" * 100_000

    for content in (b"x" * 1_000_001, chunks()):
        answer = await served.http.post(path, content=content)
        if path == "/sign-in":
            assert answer.status_code == 413
            assert answer.headers["connection"] == "close"
            assert answer.json()["error"]["limit"] == 1_000_000
        else:  # who does not read the body need not refuse it
            assert answer.status_code in (303, 404, 413)
    answer = await served.http.post("/sign-in", content=b"x" * 1_000_000)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test:3847", "10.0.0.1", "a b", ""]
)
async def test_a_foreign_host_is_refused_on_loopback(served, host):
    answer = await served.http.get("/api/v1/health", headers={"host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost:3847", "127.0.0.1", "[::1]:3847", "127.0.0.2:1"])
async def test_loopback_names_are_welcome(served, host):
    assert (await served.http.get("/api/v1/health", headers={"host": host})).status_code == 200


async def test_two_hosts_are_refused(served):
    answer = await served.http.get("/api/v1/health", headers=[("host", "127.0.0.1"), ("host", "127.0.0.1")])
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_host")


async def test_a_header_that_decides_something_comes_once(served):
    paths = ("/mcp", "/api/v1/context", "/api/v1/events", "/webhooks/github", "/sign-in")
    for path, name, second in itertools.product(paths, sorted(name.decode() for name in SINGLE), ("a", "b")):
        answer = await served.http.post(path, headers=[(name, "a"), (name, second)], content=b"")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "repeated_header"), (path, name)
        assert name in answer.json()["error"]["message"]


async def test_the_public_name_is_welcome_and_others_too_when_listening_to_all(tmp_path):
    async with serving(tmp_path, url="https://pendesk.example.com") as served:
        assert (await served.http.get("/api/v1/health")).status_code == 200
    async with serving(tmp_path, host="0.0.0.0") as served:
        assert (await served.http.get("/api/v1/health", headers={"host": "box.lan:3847"})).status_code == 200


async def test_health_says_why_it_is_not_well(served, monkeypatch):
    assert (await served.http.get("/api/v1/health")).json() == {"ok": True}

    async def full(*_args):
        raise Unavailable("The database cannot write now (disk full).")

    monkeypatch.setattr("pendesk.transports.health.FRESH_S", 0.0)
    monkeypatch.setattr(served.service.dispatcher.store, "write", full)
    answer = await served.http.get("/api/v1/health")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert "disk full" in answer.json()["error"]["message"]


async def test_many_questions_about_health_share_one_write(served, monkeypatch):
    writes = 0
    write = served.service.dispatcher.store.write

    async def counted(*args):
        nonlocal writes
        writes += 1
        return await write(*args)

    monkeypatch.setattr(served.service.dispatcher.store, "write", counted)
    for _ in range(20):
        await served.http.get("/api/v1/health")
    assert writes == 1


async def test_a_fault_is_answered_logged_and_told_nothing_about(served, monkeypatch, caplog):
    async def broken(*_args):
        raise ZeroDivisionError("the secret detail")

    monkeypatch.setattr(served.service.dispatcher.store, "look_up", broken)
    answer = await served.http.get("/", headers={"cookie": "pendesk_session=x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert "secret detail" not in answer.text
    assert answer.json()["error"]["requestId"] == answer.headers["x-request-id"]
    assert any(record.exc_info for record in caplog.records)


async def test_the_log_tells_path_and_status_and_no_query(served, caplog):
    caplog.set_level(logging.INFO, "pendesk.request")
    await served.http.get("/sign-in?code=topsecret")
    await served.http.get("/a%0Ab%1b[31m")
    told = [record.getMessage() for record in caplog.records if record.name == "pendesk.request"]
    assert told == ["GET /sign-in 200", "GET /a\\nb\\x1b[31m 404"]
    assert "topsecret" not in caplog.text


async def test_metrics_count_requests_and_operations(served):
    await served.link()
    await served.http.get("/nothing")
    answer = await served.http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    values = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    not_found = (("method", "GET"), ("route", "other"))
    assert values["pendesk_requests_total", *not_found, ("status", "404")] == 1
    assert values["pendesk_request_duration_seconds_count", *not_found] == 1
    link = ("operation", "create_sign_in_link")
    assert values["pendesk_operations_total", link, ("outcome", "ok")] == 1
    assert values["pendesk_operation_duration_seconds_count", link] == 1
    assert values["pendesk_operation_duration_seconds_bucket", ("le", "+Inf"), link] == 1
    assert values["pendesk_operation_duration_seconds_sum", link] > 0
    assert values["pendesk_live_claims",] == 0
    assert values["pendesk_write_batches",] > 0
    assert "_created" not in answer.text


async def test_metrics_are_for_this_machine_unless_set_otherwise(tmp_path):
    for setting, client, headers, status in [
        ("loopback", "10.0.0.7", {}, 404),
        ("loopback", "127.0.0.1", {"x-forwarded-for": "10.0.0.7"}, 404),
        ("loopback", "127.0.0.1", {}, 200),
        ("everyone", "10.0.0.7", {}, 200),
        ("off", "127.0.0.1", {}, 404),
    ]:
        async with serving(tmp_path, client=client, metrics=setting) as served:
            assert (await served.http.get("/metrics", headers=headers)).status_code == status


async def test_health_says_that_the_database_file_is_damaged_and_so_does_the_log(served, monkeypatch, caplog):
    examine = {False: "", True: "row 7 missing from index users_by_email"}.get
    monkeypatch.setattr(served.service.dispatcher.store, "_examine", examine)
    await health.look_for_damage(served.service)
    assert (await served.http.get("/api/v1/health")).status_code == 200
    await health.look_for_all_damage(served.service)
    answer = await served.http.get("/api/v1/health")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "damaged")
    assert "row 7 missing from index" in answer.json()["error"]["message"]
    assert [record for record in caplog.records if "is damaged" in record.getMessage()]
