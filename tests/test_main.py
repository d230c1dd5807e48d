import asyncio

import pytest

from pendesk import main
from pendesk.ids import new_id
from pendesk.main import BACKGROUND, BackgroundTask, open_service, run_background_tasks
from pendesk.settings import load
from pendesk.store import installation
from pendesk.store.installation import WrongSecret
from tests.callers import verify_log
from tests.transports.served import serving


async def test_it_opens_twice_with_the_same_secret_and_not_with_another(tmp_path):
    for _ in range(2):
        async with open_service(load(data_folder=str(tmp_path), environ={}), "http://x"):
            pass
    with pytest.raises(WrongSecret):
        async with open_service(load(data_folder=str(tmp_path), environ={"PENDESK_SECRET_KEY": "y" * 40}), "http://x"):
            pass


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request, tmp_path):
    """Those of an installation on either engine."""

    def load_with(**environ):
        return load(data_folder=str(tmp_path / "data"), environ={**where, **environ})

    where = {}
    if request.param == "postgres":
        cluster = request.getfixturevalue("postgres")
        name = f"opened_{new_id().replace('-', '')}"
        where = {"PENDESK_DATABASE_URL": cluster.create_database(name)}
    return load_with


async def test_a_start_without_the_databases_secret_leaves_no_other_behind(settings):
    async with open_service(settings(PENDESK_SECRET_KEY="x" * 40), "http://x"):
        pass
    for environ in ({}, {"PENDESK_SECRET_KEY": "y" * 40}):
        with pytest.raises(WrongSecret, match="PENDESK_SECRET_KEY"):
            async with open_service(settings(**environ), "http://x"):
                pass
    assert not list(settings().data.glob("*secret.key*"))


class Outdated:
    """A store whose reader does not see yet what another has written."""

    def __init__(self, store):
        self.write = store.write

    async def read(self, _workspace, _work):
        return None


async def test_of_two_that_begin_together_the_second_keeps_no_secret(settings, monkeypatch):
    async def bound_meanwhile(given, store):
        await store.write("", lambda tx: installation.check_secret_matches_database(tx, b"first"))
        return await bind(given, Outdated(store))  # type: ignore[arg-type]

    bind = main._load_or_create_installation_secret
    monkeypatch.setattr(main, "_load_or_create_installation_secret", bound_meanwhile)
    with pytest.raises(WrongSecret):
        async with open_service(settings(), "http://x"):
            pass
    assert not list(settings().data.glob("*secret.key*"))


async def test_chores_go_on_after_a_failure_and_some_run_once_more_at_the_end(tmp_path, monkeypatch, caplog):
    ran = []

    async def fail(_service):
        ran.append("fail")
        raise ZeroDivisionError

    async def last(_service):
        ran.append("last")

    monkeypatch.setattr(
        main, "BACKGROUND", [BackgroundTask("try", 0.01, fail), BackgroundTask("finish", 1000, last, at_stop=True)]
    )
    async with serving(tmp_path) as served, run_background_tasks(served.service):
        while ran.count("fail") < 3:
            await asyncio.sleep(0.01)
    assert ran[-1] == "last"
    assert "could not try" in caplog.text


async def test_every_chore_runs(tmp_path):
    async with serving(tmp_path) as served:
        for chore in BACKGROUND:
            running = asyncio.ensure_future(chore.run(served.service))
            ended, _ = await asyncio.wait({running}, timeout=1)
            if ended:
                running.result()
            running.cancel()  # the one that delivers goes on until then


async def test_the_log_is_sealed_when_the_server_stops(tmp_path):
    async with serving(tmp_path) as served:
        async with run_background_tasks(served.service):
            pass
        verdict = await verify_log(
            served.service.dispatcher.store, served.service.installation.signing_key, served.owner.workspace_id
        )
        assert verdict.sealed_upto > 0
