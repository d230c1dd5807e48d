import apsw
import pytest


@pytest.fixture
def sealed(ask, data):
    """A data folder whose log was sealed, as a server does when it stops."""
    import asyncio

    from pendesk.main import open_service
    from pendesk.settings import load
    from tests.callers import seal_log

    ask("init")
    ask("demo")

    async def seal() -> None:
        async with open_service(load(data_folder=str(data), environ={}), "http://127.0.0.1:3847") as service:
            await seal_log(service.dispatcher.store, service.installation.signing_key)

    asyncio.run(seal())
    return data


def test_an_untouched_log_is_as_it_was_sealed(run, sealed):
    verified = run("verify")
    assert verified.exit_code == 0
    assert "The log is intact." in verified.stdout


def test_a_changed_event_is_found_and_exits_1(run, ask, sealed):
    link = apsw.Connection(str(sealed / "pendesk.sqlite3"))
    link.execute("UPDATE events SET actor_id = 'nobody' WHERE seq = 3")
    link.close()
    result = run("verify")
    assert result.exit_code == 1
    assert "was changed" in result.stdout


def test_a_head_that_was_kept_elsewhere_is_expected(run, ask, sealed):
    head = ask("verify")["workspaces"][0]["head"]
    assert run("verify", "--expect", head).exit_code == 0
    forged = head.split(":")[0] + ":" + "0" * 64
    rewritten = run("verify", "--expect", forged)
    assert rewritten.exit_code == 1
    assert "rewritten" in rewritten.stdout
    assert run("verify", "--expect", "nonsense").exit_code == 2
