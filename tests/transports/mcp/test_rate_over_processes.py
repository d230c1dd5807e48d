"""The rate limit counts over all processes together."""

import asyncio
import uuid

import httpx

from tests.e2e.server import RunningServer, pendesk

PROCESSES = 3
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def test_exactly_60_of_100_over_three_processes_on_postgresql(postgres, tmp_path):
    database = postgres.create_database(f"rate_{uuid.uuid4().hex}")
    shared = {"PENDESK_DATABASE_URL": database}
    with RunningServer(tmp_path / "data", **shared) as first:
        first.ready()
        token = pendesk(tmp_path / "data", "token", "create", "--name", "rate", **shared).strip()
        with RunningServer(tmp_path / "data", **shared) as second, RunningServer(tmp_path / "data", **shared) as third:
            servers = [first, second.ready(), third.ready()]
            async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:
                # One after the other first: else a process that is slow to begin might find nothing left.
                first_ones = [await http.post(f"{server.url}/mcp", json=PING) for server in servers]
                rest = [http.post(f"{servers[n % PROCESSES].url}/mcp", json=PING) for n in range(PROCESSES, 100)]
                answers = [answer.status_code for answer in [*first_ones, *await asyncio.gather(*rest)]]
    assert sorted(answers) == [200] * 60 + [429] * 40
    assert {answers[n::PROCESSES].count(200) > 0 for n in range(PROCESSES)} == {True}
