"""`pendesk secret rotate` killed at every file and every statement: the next start has the secret that fits.

The database is an older one, so that the tokens of the first form are encrypted again on the way.
"""

import asyncio
import itertools
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg import sql

from pendesk.cli import main
from pendesk.domain.publication import Publication
from pendesk.domain.share import Share
from pendesk.ids import new_id
from pendesk.main import open_service
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.sharing.publication_token import decrypt_token
from pendesk.operations.timeline import verify_log
from pendesk.operations.timeline.verify_log import VerifyLog
from pendesk.settings import Settings, load
from pendesk.store import installation, publications, secret, shares
from pendesk.store.engine.postgres_tx import PostgresTx
from pendesk.store.engine.sqlite import SqliteTx
from pendesk.transports.service import Service
from tests.callers import create_first_workspace, find_local_actor, seal_log
from tests.crash.kills import Tally
from tests.v1_secrets import save_v1_tokens, undo_migration

URL = "http://127.0.0.1:3847"
CLEAR = "the token of another server"
BASE, KILLED = "rotations_base", "rotations_killed"
STATEMENTS = ("one", "all", "run", "append_event_returning_id")


class Installation:
    """Prepared once; each kill has a copy of its own."""

    def __init__(self, folder: Path, server_url: str | None) -> None:
        self._base, self._killed = folder / "base", folder / "killed"
        self._server_url = server_url

    def settings(self, name: str, folder: Path) -> Settings:
        url = {"PENDESK_DATABASE_URL": f"{self._server_url}/{name}"} if self._server_url else {}
        return load(data_folder=str(folder), environ=url)

    @property
    def base(self) -> Settings:
        return self.settings(BASE, self._base)

    def prepare(self) -> None:
        if self._server_url:
            self._administer("DROP DATABASE IF EXISTS {}", BASE)
            self._administer("CREATE DATABASE {}", BASE)
        asyncio.run(fill(self.base))

    def copy(self) -> Settings:
        shutil.rmtree(self._killed, ignore_errors=True)
        shutil.copytree(self._base, self._killed)
        if self._server_url:
            self._administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", KILLED)
            self._administer(f"CREATE DATABASE {{}} TEMPLATE {BASE}", KILLED)
        return self.settings(KILLED, self._killed)

    def _administer(self, statement: str, name: str) -> None:
        with psycopg.connect(f"{self._server_url}/postgres", autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


@contextmanager
def installation_of(server_url: str | None) -> Iterator[Installation]:
    with TemporaryDirectory(prefix="pendesk-rotation-") as folder:
        prepared = Installation(Path(folder), server_url)
        prepared.prepare()
        yield prepared


async def fill(settings: Settings) -> None:
    """A log with seals, and a token of another server, as a program before AES-GCM left them."""
    async with open_service(settings, URL) as service:
        await create_first_workspace(service.dispatcher, workspace="Desk", name="Ada", email=None)
        actor = await find_local_actor(service.dispatcher)
        assert actor is not None
        project = await service.dispatcher.call(actor, "create_project", {"name": "Harbour"})
        project_id: str = project.pid  # type: ignore[attr-defined]
        await seal_log(service.dispatcher.store, service.installation.signing_key)
        await service.dispatcher.call(actor, "create_project", {"name": "Quay"})
        await seal_log(service.dispatcher.store, service.installation.signing_key)
        key = service.installation.signing_key
        await service.dispatcher.store.write(actor.workspace_id, lambda tx: _publish(tx, project_id, actor.user_id))
        await service.dispatcher.store.write(actor.workspace_id, lambda tx: save_v1_tokens(tx, key, CLEAR))
    undo_migration(settings)


def _publish(tx: Any, project_id: str, user_id: str) -> None:
    share = Share(
        id=new_id(),
        project_id=project_id,
        action_id=None,
        hash=new_id(),
        takes_items=0,
        with_documents=0,
        server_url="https://other.example",
        created_by=user_id,
        owner_id=user_id,
        created_at=tx.now,
        expires_at=None,
        revoked_at=None,
    )
    shares.add(tx, share)
    publications.add(tx, Publication(project_id, share.id, "https://other.example", "", "", user_id, tx.now, None))


def rotation_kills(engine: str, server_url: str | None, step: int) -> Tally:
    faults: list[str] = []
    kills = 0
    seen: set[str] = set()
    with installation_of(server_url) as prepared:
        old = secret.read(prepared.base.data)
        for place in itertools.count(1, step):
            settings = prepared.copy()
            if not _killed_at(place, settings):
                break
            kills += 1
            try:
                key, problems = asyncio.run(_look(settings))
            except Exception as error:
                faults.append(f"killed at {place}: it does not start: {error!r}")
                continue
            seen.add("old" if key == old else "new")
            faults += [f"killed at {place}: {fault}" for fault in problems]
    if seen != {"old", "new"}:
        faults.append(f"only the {seen} secret was ever seen: the method is blind")
    return Tally(f"rotation of the secret killed, {engine}", kills, 0, f"at every {step}. step", faults)


async def _look(settings: Settings) -> tuple[bytes, list[str]]:
    async with open_service(settings, URL) as service:
        key = service.installation.signing_key
        faults = [
            f"{name}: {finding}"
            for _id, name, verdict in await service.dispatcher.call_as_server(verify_log.OPERATION, VerifyLog())
            for finding in verdict.findings
        ]
        faults += await check_token(service)
        left = sorted(
            path.name for path in settings.data.iterdir() if "secret.key" in path.name and path.name[0] != "."
        )
        if left != [secret.FILE_NAME] or secret.read(settings.data) != key:
            faults.append(f"the folder holds {left}")
        return key, faults


async def check_token(service: Service) -> list[str]:
    workspace_id = await service.dispatcher.store.read("", installation.find_first_workspace_id)
    assert workspace_id is not None
    (publication,) = await service.dispatcher.store.read(workspace_id, publications.of_workspace)
    clear = decrypt_token(service.installation.signing_key, workspace_id, publication)
    return [] if clear == CLEAR else ["the token is another"]


def _killed_at(place: int, settings: Settings) -> bool:
    """False when it has fewer steps and was done."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            _count_steps(place)
            if settings.database_url:
                os.environ["PENDESK_DATABASE_URL"] = settings.database_url
            main.main(["secret", "rotate", "--data", str(settings.data)], standalone_mode=False)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and status != 0:
        raise RuntimeError(f"the rotation failed with status {status}")
    return os.WIFSIGNALED(status)


def _count_steps(place: int) -> None:
    """In the child: die at that step. Each file is a step before and one after, each statement one before."""
    count = itertools.count(1)

    def tick() -> None:
        if next(count) == place:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            tick()
            done = work(*given, **named)
            tick()
            return done

        return run

    for name in ("_write_temp_file", "_fsync_folder", "write", "activate_next_secret"):
        setattr(secret, name, counted(getattr(secret, name)))
    for kind, name in itertools.product((SqliteTx, PostgresTx), STATEMENTS):
        setattr(kind, name, counted(getattr(kind, name)))
    call_as_server = Dispatcher.call_as_server

    async def committed(*args: Any) -> Any:
        rotated = await call_as_server(*args)
        tick()
        return rotated

    Dispatcher.call_as_server = committed  # type: ignore[method-assign, assignment]
