"""The real server as a process of its own, on a free loopback port and an empty data folder, and the people in it."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from pendesk import clock
from pendesk.domain.access import Actor
from pendesk.main import open_service
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.operation import encode_json
from pendesk.settings import load
from pendesk.transports.service import Service
from tests.callers import find_local_actor
from tests.e2e.server import own_port
from tests.workbench import Work, published_spec

T = TypeVar("T")

STOP_S = 20


class Agent(NamedTuple):
    """An agent's own account, and the token that its client is given."""

    name: str
    user_id: str
    token: str


class Office:
    """What people do while agents work, through the dispatcher to the same data folder, as the command line does it."""

    def __init__(self, service: Service, owner: Actor) -> None:
        self.service = service
        self.owner = owner

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.service.dispatcher.call(actor, operation, arguments)
        read: dict[str, Any] = msgspec.json.decode(encode_json(answer))
        return read


class RunningServer:
    def __init__(self, data: Path, url: str, environ: dict[str, str] | None = None) -> None:
        """Those of `environ` are the server's own settings, such as its database."""
        self.data = data
        self.url = url
        self.environ = environ or {}

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    def in_office(self, work: Callable[[Office], Awaitable[T]]) -> T:
        async def run() -> T:
            async with open_service(load(data_folder=str(self.data), environ=self.environ), self.url) as service:
                owner = await find_local_actor(service.dispatcher)
                assert owner is not None
                return await work(Office(service, owner))

        return asyncio.run(run())

    def person(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The workspace's owner does something."""
        return self.in_office(lambda office: office.call(office.owner, operation, **arguments))

    def agent(self, name: str, *scopes: str) -> Agent:
        user = self.person("create_user", name=name, kind="agent")
        expected = list(scopes) or ["specs.read", "builds.write"]
        token = self.person("create_token", name=name, user_pid=user["userId"], scopes=expected)
        return Agent(name, user["userId"], token["token"])

    def work(self, *agents: Agent, actions: int = 2, criteria: int = 2) -> Work:
        """A published spec in which the agents take part."""

        async def publish(office: Office) -> Work:
            taking_part = tuple(office.owner._replace(user_id=agent.user_id) for agent in agents)
            return await published_spec(
                office, office.owner, actions=actions, criteria=criteria, participants=taking_part
            )

        return self.in_office(publish)

    def attach(self, spec_pid: str, name: str, content: bytes) -> None:
        async def put(office: Office) -> None:
            with office.service.files.start_upload(len(content)) as upload:
                upload.write(content)
                received = upload.save()
            receipt = make_signed_file_receipt(office.service.installation, office.owner, received, clock.now_us())
            await office.call(office.owner, "put_attachment", spec_pid=spec_pid, name=name, receipt=receipt)

        self.in_office(put)

    def events(self, action_pid: str) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.person("list_events", action_pid=action_pid)["events"]
        return listed

    def expire_claims(self) -> None:
        """Every lease has run out. Waiting for it would take a minute, the shortest life of a claim."""

        async def expire(office: Office) -> None:
            sql = "UPDATE claims SET expires_at = :now - 1 WHERE workspace_id = :workspace AND state = 'active'"
            await office.service.dispatcher.store.write(office.owner.workspace_id, lambda tx: tx.run(sql, now=tx.now))

        self.in_office(expire)


@contextmanager
def running(data: Path, **settings: str) -> Iterator[RunningServer]:
    with running_on(int(own_port()), data, **settings) as server:
        yield server


@contextmanager
def running_on(port: int, data: Path, **settings: str) -> Iterator[RunningServer]:
    pendesk = str(Path(sys.executable).with_name("pendesk"))
    with started([pendesk, "serve", "--port", str(port), "--json", "--data", str(data)], data, settings) as line:
        yield RunningServer(data, json.loads(line)["url"].rstrip("/"), _variables(settings))


@contextmanager
def started(command: list[str], data: Path, settings: dict[str, str]) -> Iterator[str]:
    """A server process that has said its first line, which is given; it is stopped as an operator would."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PENDESK_")}
    environ |= _variables(settings)
    log = data.with_suffix(".log")
    with log.open("w") as stderr:
        process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=stderr, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{command} did not start: {log.read_text()}")
        yield line
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _variables(settings: dict[str, str]) -> dict[str, str]:
    return {f"PENDESK_{name.upper()}": value for name, value in settings.items()}
