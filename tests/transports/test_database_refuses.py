"""A PostgreSQL that lets nobody in: everyone who asks, and the log, are told why, and nobody is told a secret."""

import asyncio
import signal
import socket
from contextlib import contextmanager

import psycopg
import pytest

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.store.engine import postgres as postgres_store
from pendesk.store.engine import postgres_connect
from pendesk.store.engine.migrate import migrate
from pendesk.transports import health
from tests.patience import PATIENCE_S
from tests.postgres import PostgresCluster
from tests.transports.served import serving

PASSWORD = "hunter2"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_context", "arguments": {}}}
CUT_OFF = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'pen'"


class Server(PostgresCluster):
    """With a role that owns its databases and is nobody special."""

    def __enter__(self):
        super().__enter__()
        self.do(f"CREATE ROLE pen LOGIN PASSWORD '{PASSWORD}'", "CREATE DATABASE template OWNER pen")
        migrate(None, self.own_url("template"))
        return self

    def own_url(self, name):
        return f"postgresql://pen:{PASSWORD}@localhost:{self.port}/{name}"

    def do(self, *statements):
        with psycopg.connect(self.url(), autocommit=True) as admin:
            for statement in statements:
                admin.execute(statement)

    def cut_off(self):
        self.do(CUT_OFF)

    def admit(self, line):
        """Rules for whom to let in, before those that let in everybody on this machine."""
        own = "local all all trust\nhost all postgres 127.0.0.1/32 trust\nhost all postgres ::1/128 trust\n"
        (self.directory / "data" / "pg_hba.conf").write_text(own + line)
        self.do("SELECT pg_reload_conf()")


@pytest.fixture(scope="module")
def server():
    with Server(fast=True) as cluster:
        yield cluster


@contextmanager
def no_place(server, _name):
    server.do("ALTER ROLE pen CONNECTION LIMIT 0")
    server.cut_off()
    yield
    server.do("ALTER ROLE pen CONNECTION LIMIT -1")


@contextmanager
def another_password(server, _name):
    server.admit("host all pen all scram-sha-256\n")
    server.do("ALTER ROLE pen PASSWORD 'another'")
    server.cut_off()
    yield
    server.do(f"ALTER ROLE pen PASSWORD '{PASSWORD}'")
    server.admit("host all all all trust\n")


@contextmanager
def no_entry(server, _name):
    server.admit("")
    server.cut_off()
    yield
    server.admit("host all all all trust\n")


@contextmanager
def no_database(server, name):
    server.do(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    server.cut_off()
    server.do(f"ALTER DATABASE {name} RENAME TO elsewhere")
    yield
    server.do(f"ALTER DATABASE elsewhere RENAME TO {name}", f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


@contextmanager
def shutting_down(server, _name):
    with psycopg.connect(server.url(), autocommit=True) as last:  # which it waits for
        server.process.send_signal(signal.SIGTERM)
        while server._answers():
            pass
        last.execute(CUT_OFF)
        yield
    server.process.wait(PATIENCE_S)
    server.start()


@contextmanager
def not_running(server, _name):
    server.kill(signal.SIGINT)
    yield
    server.start()


@contextmanager
def no_such_host(server, _name):
    resolve = socket.getaddrinfo

    def unknown(host, *args, **options):
        if host == "localhost":
            raise socket.gaierror(-2, "Name or service not known")
        return resolve(host, *args, **options)

    socket.getaddrinfo = unknown
    server.cut_off()
    yield
    socket.getaddrinfo = resolve


CAUSES = {
    no_place: "too many connections for role",
    another_password: "password authentication failed for user",
    no_entry: "no pg_hba.conf entry for host",
    no_database: "does not exist",
    shutting_down: "the database system is shutting down",
    not_running: "Connection refused",
    no_such_host: "Name or service not known",
}


@pytest.fixture
async def desk(server, tmp_path):
    name = f"desk_{tmp_path.name[-20:].lower().replace('-', '_')}"
    server.do(f"CREATE DATABASE {name} TEMPLATE template OWNER pen")
    options = {"database_url": server.own_url(name), "database_connections": 4}
    async with serving(tmp_path / "data", **options) as served:
        made = await served.call("create_token", name="x", scopes=sorted(TOKEN_SCOPES))
        served.http.headers["Authorization"] = f"Bearer {made.token}"
        yield served.http, name


async def everywhere(http):
    """The answers of MCP, REST, a page and the health check."""
    page = {"Accept": "text/html", "Cookie": "pendesk_session=" + "a" * 43}
    return [
        await http.post("/mcp", json=CALL),
        await http.get("/api/v1/projects"),
        await http.post("/api/v1/projects", json={"name": "Harbour"}),
        await http.get("/", headers=page),
        await http.get("/api/v1/health"),
    ]


async def until_the_reason_is_known(http, reason):
    """The first attempt to connect has to fail, which takes its time on a busy machine."""
    while reason not in (await http.get("/api/v1/health")).text:
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.__name__)
async def test_everyone_is_told_the_reason(server, desk, cause, monkeypatch, caplog):
    http, database = desk
    caplog.set_level("INFO")
    monkeypatch.setattr(postgres_store, "POOL_WAIT_S", 0.5)
    monkeypatch.setattr(postgres_connect, "LOG_EVERY_S", PATIENCE_S)
    monkeypatch.setattr(health, "FRESH_S", 0.0)
    with cause(server, database):
        await until_the_reason_is_known(http, CAUSES[cause])
        answers = await everywhere(http) + await everywhere(http)
    assert [(answer.status_code, CAUSES[cause] in answer.text) for answer in answers] == [(503, True)] * len(answers)
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("pendesk")]
    assert [CAUSES[cause] in line for line in logged].count(True) == 1
    assert not any('"pen"' in answer.text or str(server.port) in answer.text for answer in answers)
    assert PASSWORD not in caplog.text + "".join(answer.text for answer in answers)
    assert "Traceback" not in caplog.text

    monkeypatch.undo()
    again = await http.post("/api/v1/projects", json={"name": "Harbour"})
    assert again.status_code == 201
    kept = (await http.get("/api/v1/projects")).json()["projects"]
    assert [project["name"] for project in kept] == ["Harbour"]


async def test_the_health_check_does_not_wait_for_the_pool_to_give_up(server, desk, monkeypatch):
    http, database = desk
    monkeypatch.setattr(health, "PATIENCE_S", 0.5)
    with no_place(server, database):
        answer = await http.get("/api/v1/health")
    assert answer.status_code == 503
    assert "too many connections for role" in answer.json()["error"]["message"]
