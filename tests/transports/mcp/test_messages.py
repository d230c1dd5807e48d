"""JSON-RPC: one message a request, read strictly; whatever comes, the answer is clean."""

import json

import pytest

from tests.transports.mcp.wire import MODERN, message

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"nonsense",
        b"\xff\xfe",
        b'{"jsonrpc":"2.0"',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"jsonrpc":NaN}',
    ],
)
async def test_what_is_no_json_is_a_parse_error(modern, body):
    answer = await modern.post(body)
    assert answer.status_code == 400
    assert answer.json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": answer.json()["error"]["code"], "message": answer.json()["error"]["message"]},
    }
    assert answer.json()["error"]["code"] in (PARSE_ERROR, INVALID_REQUEST)


@pytest.mark.parametrize(
    "body",
    [
        [],
        [message(MODERN, "tools/list")[0]],
        {},
        7,
        "text",
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "text"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": 7}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}},
    ],
)
async def test_what_is_no_message_is_an_invalid_request(modern, body):
    answer = await modern.post(body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, INVALID_REQUEST)


@pytest.mark.parametrize("message_id", ["null", "true", "1.5", "[1]", '{"a": 1}', pytest.param("9" * 5000, id="huge")])
async def test_bad_ids_are_refused(modern, message_id):
    answer = await modern.post(f'{{"jsonrpc": "2.0", "id": {message_id}, "method": "ping"}}'.encode())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, INVALID_REQUEST)
    assert answer.json()["id"] is None


@pytest.mark.parametrize("message_id", [0, 1, -1, 2**80, "", "a text", "ü" * 200])
async def test_good_ids_come_back_as_they_were(wire, message_id):
    body, headers = message(wire.era, "tools/list", message_id)
    assert (await wire.post(body, headers)).json()["id"] == message_id


@pytest.mark.parametrize("method", ["ping", 7, "tools/call"])
async def test_a_long_id_is_refused_and_not_echoed(modern, method):
    for message_id in ("a" * 950_000, "a" * 201, 10**200, -(10**200)):
        answer = await modern.post({"jsonrpc": "2.0", "id": message_id, "method": method})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, INVALID_REQUEST)
        assert answer.json()["id"] is None
        assert len(answer.content) < 1_000


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("x" * 900_000, {}),
        ("tools/call", {"name": "x" * 900_000}),
        ("prompts/get", {"name": "x" * 900_000}),
        ("tools/call", {"name": "claim_action", "arguments": {"action_pid": "x" * 900_000}}),
        ("tools/call", {"name": "claim_action", "arguments": {"x" * 900_000: 1}}),
        ("initialize", {"protocolVersion": "x" * 900_000}),
    ],
)
async def test_a_refusal_repeats_little_of_what_was_sent(modern, method, params):
    answer = await modern.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert answer.status_code in (200, 400, 404)
    assert len(answer.content) < 20_000


TWICE = [
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"meth\\u006fd":"tools/list","method":"ping"}',
    b'{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_spec","name":"claim_action","arguments":{}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_spec","arguments":{},"arguments":{"a":1}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_spec","arguments":{"a":1},"arguments":{}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x","arguments":{"a":"1","a":"2"}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"sessionId":"a","sessionId":"b"}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","unknown":[{"a":2,"a":1}]}',
]


@pytest.mark.parametrize("body", TWICE)
async def test_a_name_that_stands_twice_in_the_envelope_is_refused(modern, body):
    answer = await modern.post(body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, INVALID_REQUEST)
    assert (answer.json()["id"], "twice" in answer.json()["error"]["message"]) == (None, True)


async def test_what_only_looks_like_a_name_twice_is_not(wire):
    for text in ('"id": 1, "id": 2', '"a":"a":', "{}", '{"a":1}'):
        body, headers = message(wire.era, "tools/call", text, name="claim_action", arguments={"action_pid": text})
        answer = await wire.post(body, headers)
        assert answer.json()["id"] == text


async def test_an_error_names_the_message_it_is_about(modern):
    answer = await modern.post({"jsonrpc": "2.0", "id": 41, "method": 7})
    assert answer.json()["id"] == 41
    answer = await modern.post({"jsonrpc": "1.0", "id": 42, "method": "ping"})
    assert answer.json()["id"] == 42


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/never-heard-of"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
    ],
)
async def test_notifications_and_responses_are_taken_and_not_answered(wire, body):
    answer = await wire.post(body, {"MCP-Protocol-Version": wire.era})
    assert (answer.status_code, answer.content) == (202, b"")


async def test_duplicate_keys_lone_surrogates_and_control_characters_never_break_it(wire):
    for raw in (
        b'{"action_pid":"PEN-1","action_pid":"PEN-2"}',
        b'{"action_pid":"\\ud800"}',
        b'{"action_pid":"\\u0000"}',
        b'{"action_pid":"' + b"9" * 5000 + b'"}',
        b'{"action_pid":' + b"9" * 5000 + b"}",
        b'{"action_pid":' + b"[" * 2000 + b"]" * 2000 + b"}",
    ):
        body, headers = message(wire.era, "tools/call", name="claim_action", arguments="HERE")
        answer = await wire.post(json.dumps(body).encode().replace(b'"HERE"', raw), headers)
        assert answer.status_code in (200, 400), raw[:40]
        decoded = answer.json()
        if "result" in decoded:
            assert decoded["result"]["structuredContent"]["error"]["status"] in (404, 422), raw[:40]
