"""Another secret: what was made with the old one and is kept still fits, and nothing that the old one made does."""

import msgspec
import pytest

from pendesk.domain import token
from pendesk.domain.github_api import GithubToken, repository_api
from pendesk.domain.publication import derive_mirror_link_secret
from pendesk.domain.signature import is_fingerprint_of
from pendesk.operations.access import rotate_secret as rotating
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.github import token_box
from pendesk.operations.registry import OPERATIONS
from pendesk.operations.sharing.publication_token import decrypt_token
from pendesk.secret_box import CannotDecrypt
from pendesk.store import github_fetches, installation, mirrors, publications, seals
from tests.callers import rotate_secret, seal_log, verify_log
from tests.desk import MINUTE, TestDesk
from tests.other_desk import TOKEN, URL, OtherDesk
from tests.workbench import published_spec

NEW = b"another signing key for tests"


@pytest.fixture
async def desk(fresh):
    """With seals, a project that is published elsewhere, a picture of another server, and webhooks."""
    await fresh.store.write(
        "", lambda tx: installation.check_secret_matches_database(tx, fresh.installation.signing_key)
    )
    await fresh.open()
    ada = await fresh.person("Ada")
    await published_spec(fresh, ada)
    there = TestDesk(fresh.store, fresh.clock)
    await there.open("There")
    eve = await there.person("Eve")
    fresh.dispatcher.outbound = OtherDesk(there.dispatcher, eve)
    await fresh.call(ada, "publish_project", project_id="PEN", server_url=URL, sync_token=TOKEN)
    fresh.ada, fresh.there, fresh.eve = ada, there, eve
    await seal_log(fresh.store, fresh.installation.signing_key)
    fresh.clock.forward(MINUTE)
    await fresh.call(ada, "update_project", project_id="PEN", name="Harbour")
    await seal_log(fresh.store, fresh.installation.signing_key)
    return fresh


def with_key(desk, key):
    """The same desk, as a start with that secret makes it."""
    changed = desk.installation._replace(signing_key=key)
    other = TestDesk(desk.store, desk.clock)
    other.workspace, other.installation = desk.workspace, changed
    other.dispatcher = Dispatcher(desk.store, OPERATIONS, changed, desk.dispatcher.outbound)
    return other


async def token_by(desk, key):
    """The other server's token, as a desk with that secret reads it."""

    def work(tx):
        (publication,) = publications.of_workspace(tx)
        return decrypt_token(key, tx.workspace, publication)

    return await desk.store.read(desk.workspace, work)


async def test_everything_that_is_kept_fits_the_new_one_and_not_the_old(desk):
    rotated = await rotate_secret(desk.dispatcher, NEW)
    assert (rotated.workspaces, rotated.tokens, rotated.mirrors) == (2, 1, 1)
    assert rotated.seals == 3
    for workspace in (desk.workspace, desk.there.workspace):
        assert (await verify_log(desk.store, NEW, workspace)).findings == []
        assert (await verify_log(desk.store, desk.installation.signing_key, workspace)).findings != []
    assert await token_by(desk, NEW) == TOKEN
    with pytest.raises(CannotDecrypt):
        await token_by(desk, desk.installation.signing_key)
    known = await desk.store.read("", installation.secret_fingerprint)
    assert is_fingerprint_of(known, NEW)


async def test_the_log_of_each_workspace_says_so_and_goes_on(desk):
    heads = [
        await verify_log(desk.store, desk.installation.signing_key, place)
        for place in (desk.workspace, desk.there.workspace)
    ]
    await rotate_secret(desk.dispatcher, NEW)
    for head, (person, at) in zip(heads, ((desk.ada, desk), (desk.eve, desk.there)), strict=True):
        events = (await at.call(person, "list_events", after=head.events))["events"]
        assert [event["kind"] for event in events] == ["secret.rotated"]
    await seal_log(desk.store, NEW)
    assert (await verify_log(desk.store, NEW, desk.workspace)).findings == []


async def test_publishing_goes_on_and_the_links_here_are_told_anew(desk):
    (picture_id,) = await desk.store.read(desk.there.workspace, lambda tx: mirrors.ids(tx, "", 10))
    former = derive_mirror_link_secret(desk.installation.signing_key, desk.there.workspace, picture_id)
    await rotate_secret(desk.dispatcher, NEW)
    after = with_key(desk, NEW)
    after.dispatcher.outbound = OtherDesk(with_key(desk.there, NEW).dispatcher, desk.eve)
    await after.call(desk.ada, "update_project", project_id="PEN", name="Harbour and quay")
    assert (await after.call(desk.ada, "sync_push", project_id="PEN"))["reason"] == "sent"
    find_publication = await after.call(desk.ada, "publish_project", project_id="PEN", server_url=URL, sync_token=TOKEN)
    assert (await shown(desk, find_publication["url"].rpartition("/")[2])).name == "Harbour and quay"
    assert await shown(desk, former) is None


async def shown(desk, link):
    return await desk.store.read(desk.there.workspace, lambda tx: mirrors.by_link_hash(tx, token.hash_secret(link)))


async def test_a_forged_seal_goes_on_being_found(desk):
    """Whoever could not sign it before must not have it signed by a rotation."""

    def forge(tx):
        first = seals.of_workspace(tx)[0]
        tx.run("UPDATE event_seals SET hash = :hash WHERE workspace_id = :workspace AND upto_seq = :seq",
               hash="0" * 64, seq=first.upto_seq)  # fmt: skip

    await desk.store.write(desk.workspace, forge)
    before = await verify_log(desk.store, desk.installation.signing_key, desk.workspace)
    await rotate_secret(desk.dispatcher, NEW)
    after = await verify_log(desk.store, NEW, desk.workspace)
    assert before.findings == after.findings != []


async def test_a_token_that_could_not_be_read_stays_as_it_is(desk):
    spoil = "UPDATE publications SET sealed_token = 'x' WHERE workspace_id = :workspace"
    await desk.store.write(desk.workspace, lambda tx: tx.run(spoil))
    assert (await rotate_secret(desk.dispatcher, NEW)).tokens == 0
    (publication,) = await desk.store.read(desk.workspace, publications.of_workspace)
    assert publication.sealed_token == "x"


async def test_who_needs_a_new_secret_is_named(desk):
    ada = desk.ada
    await desk.store.write(desk.workspace, lambda tx: tx.run("UPDATE members SET role = 'admin'"))
    admin = ada._replace(role=type(ada.role).ADMIN)
    hook = await desk.call(admin, "create_webhook", url="https://ci.example.com/x")
    await desk.call(admin, "update_project", project_id="PEN", repository_url="https://github.com/a/b")
    await desk.call(admin, "set_github_webhook", project_id="PEN")
    rotated = await rotate_secret(desk.dispatcher, NEW)
    assert rotated.webhooks == [hook["webhook"]["webhookId"]]
    assert rotated.github_projects == ["PEN"]
    assert hook["secret"] not in msgspec.json.encode(rotated).decode()


async def test_more_rows_than_fit_into_one_step(desk, monkeypatch):
    monkeypatch.setattr(rotating, "ROWS_AT_ONCE", 1)
    assert (await rotate_secret(desk.dispatcher, NEW)).seals == 3
    assert (await verify_log(desk.store, NEW, desk.workspace)).findings == []


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        (seals, "save_mac"),
        (publications, "save_encrypted_token"),
        (mirrors, "save_link_hash"),
        (installation, "replace_secret_fingerprint"),
    ],
)
async def test_what_fails_half_way_changes_nothing(desk, monkeypatch, module, statement):
    """All of it or nothing: with the old secret everything is as it was."""

    def fail(*_given):
        raise ZeroDivisionError

    monkeypatch.setattr(module, statement, fail)
    before = await verify_log(desk.store, desk.installation.signing_key, desk.workspace)
    with pytest.raises(ZeroDivisionError):
        await rotate_secret(desk.dispatcher, NEW)
    assert await verify_log(desk.store, desk.installation.signing_key, desk.workspace) == before
    assert await token_by(desk, desk.installation.signing_key) == TOKEN


async def test_a_github_token_is_encrypted_again_for_its_repository(desk):
    project = await desk.call(desk.ada, "update_project", project_id="PEN", repository_url="https://github.com/a/b")
    api = repository_api(project["repositoryUrl"])
    assert api is not None
    place = (desk.workspace, project["pid"], api)
    sealed = token_box.encrypt_token(desk.installation.signing_key, *place, "ghp_of_the_harbour")
    row = GithubToken(project["pid"], sealed, desk.ada.user_id, 1, None, None)
    await desk.store.write(desk.workspace, lambda tx: github_fetches.save_token(tx, row))
    assert (await rotate_secret(desk.dispatcher, NEW)).tokens == 2
    after = await desk.store.read(desk.workspace, lambda tx: github_fetches.token(tx, project["pid"]))
    assert token_box.decrypt_token(NEW, *place, after.sealed_token) == "ghp_of_the_harbour"
    with pytest.raises(CannotDecrypt):
        token_box.decrypt_token(desk.installation.signing_key, *place, after.sealed_token)
