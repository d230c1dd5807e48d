"""A start with a database of the program before AES-GCM: its tokens are encrypted again, once, all or none."""

import asyncio
from dataclasses import replace

import pytest

from pendesk import secret_box
from pendesk.ids import new_id
from pendesk.main import open_service
from pendesk.operations.sharing import reencrypt_tokens
from pendesk.operations.sharing.publication_token import decrypt_token
from pendesk.settings import load
from pendesk.store import installation, publications
from tests.callers import rotate_secret
from tests.crash.rotations import CLEAR, URL, fill
from tests.v1_secrets import save_v1_tokens, undo_migration


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request, tmp_path):
    """The settings of an installation with a published project, as that program left it."""
    environ = {}
    if request.param == "postgres":
        cluster = request.getfixturevalue("postgres")
        environ["PENDESK_DATABASE_URL"] = cluster.create_database(f"old_{new_id().replace('-', '')}")
    settings = load(data_folder=str(tmp_path / "data"), environ=environ)
    await fill(settings)
    return settings


async def stored(service):
    workspace_id = await service.dispatcher.store.read("", installation.find_first_workspace_id)
    (publication,) = await service.dispatcher.store.read(workspace_id, publications.of_workspace)
    return workspace_id, publication


async def raw_token(settings, monkeypatch):
    """What the database holds, read without the reencrypt_tokens."""

    async def skip(_transactions, _args):
        return 0

    with monkeypatch.context() as patch:
        patch.setattr(reencrypt_tokens, "OPERATION", replace(reencrypt_tokens.OPERATION, run=skip))
        async with open_service(settings, URL) as service:
            return (await stored(service))[1].sealed_token


async def test_a_start_encrypts_what_is_stored_again(old, caplog):
    with caplog.at_level("INFO", "pendesk"):
        async with open_service(old, URL) as service:
            workspace_id, publication = await stored(service)
            assert publication.sealed_token.startswith(secret_box.VERSION_PREFIX)
            assert decrypt_token(service.installation.signing_key, workspace_id, publication) == CLEAR
            assert not await service.dispatcher.store.read("", installation.may_contain_v1_encrypted_secrets)
    assert "encrypted 1 stored tokens again" in caplog.text
    assert CLEAR not in caplog.text


async def test_the_second_start_writes_nothing(old, monkeypatch):
    async with open_service(old, URL) as service:
        _, first = await stored(service)

    def fail(*_args):
        raise AssertionError("the step ran again")

    monkeypatch.setattr(reencrypt_tokens, "_reencrypt_all_v1_tokens", fail)
    async with open_service(old, URL) as service:
        assert (await stored(service))[1] == first


async def test_a_step_that_fails_changes_nothing_and_the_next_start_does_it(old, monkeypatch):
    before = await raw_token(old, monkeypatch)
    save = publications.save_encrypted_token

    def save_then_fail(*args):
        save(*args)
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(publications, "save_encrypted_token", save_then_fail)
        with pytest.raises(ZeroDivisionError):
            async with open_service(old, URL):
                pass
    assert await raw_token(old, monkeypatch) == before
    async with open_service(old, URL) as service:
        workspace_id, publication = await stored(service)
        assert decrypt_token(service.installation.signing_key, workspace_id, publication) == CLEAR


async def test_of_several_starts_at_once_one_does_it(old, monkeypatch):
    """All have seen the mark before the first of them writes."""
    await raw_token(old, monkeypatch)  # migrated, the step not yet done
    counts = []
    seen = asyncio.Barrier(3)

    class AtBarrier:
        def __init__(self, transactions):
            self.long_write = transactions.long_write
            self._transactions = transactions

        async def read(self, workspace, work):
            mark = await self._transactions.read(workspace, work)
            await seen.wait()
            return mark

    async def count(transactions, args):
        counts.append(await reencrypt_tokens.run(AtBarrier(transactions), args))  # type: ignore[arg-type]
        return counts[-1]

    monkeypatch.setattr(reencrypt_tokens, "OPERATION", replace(reencrypt_tokens.OPERATION, run=count))

    async def start():
        async with open_service(old, URL) as service:
            workspace_id, publication = await stored(service)
            assert decrypt_token(service.installation.signing_key, workspace_id, publication) == CLEAR

    await asyncio.gather(start(), start(), start())
    assert sorted(counts) == [0, 0, 1]


async def test_a_rotation_of_an_old_database(old):
    new = b"n" * 40
    async with open_service(old, URL) as service:
        assert (await rotate_secret(service.dispatcher, new)).tokens == 1
        workspace_id, publication = await stored(service)
        assert decrypt_token(new, workspace_id, publication) == CLEAR


async def test_a_token_that_cannot_be_read_stays_and_stops_nothing(old):
    async with open_service(old, URL) as service:
        workspace_id, _ = await stored(service)
        await service.dispatcher.store.write(workspace_id, lambda tx: save_v1_tokens(tx, b"a lost key", CLEAR))
        _, unreadable = await stored(service)
    undo_migration(old)
    async with open_service(old, URL) as service:
        assert (await stored(service))[1] == unreadable
        assert not await service.dispatcher.store.read("", installation.may_contain_v1_encrypted_secrets)
