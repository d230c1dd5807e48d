"""What a restore does about what was taken away since the backup: access, and the fences of claims."""

import asyncio
import os

import pytest

from pendesk.clock import now_us
from pendesk.main import open_service
from pendesk.settings import load
from pendesk.store.portable.after_restore import FENCES_SINCE_US
from tests.cli.commands.test_backup_secret import Backups, backups  # noqa: F401 - a fixture


def states(backups: Backups) -> dict[str, str]:  # noqa: F811
    return {token["name"]: token["state"] for token in backups.ask("token", "list")["tokens"]}


def fence_floor() -> int:
    async def read() -> int:
        async with open_service(load(environ=os.environ), "http://127.0.0.1:3847") as service:
            return service.installation.limits.fence_floor

    return asyncio.run(read())


@pytest.fixture
def revoked_since(backups: Backups) -> str:  # noqa: F811
    """A backup from before a token was revoked."""
    _kept, lost = [backups.ask("token", "create", "--name", name) for name in ("kept", "lost")]
    backups.ask("user", "invite", "bob@example.com")
    archive = str(backups.backup())
    backups.ask("token", "revoke", lost["tokenId"])
    return archive


def test_tokens_sign_ins_and_invites_of_the_backup_end(backups: Backups, revoked_since: str):  # noqa: F811
    backups.begin()
    restored = backups.ask("restore", revoked_since)
    assert restored["ended"] == {"tokens": 2, "oauth_grants": 0, "sessions": 0, "invites": 1}
    assert set(states(backups).values()) == {"revoked"}
    assert backups.ask("user", "invites")["invites"] == []
    assert backups.ask("user", "link")["url"]
    assert backups.works()


def test_they_stay_where_that_is_wanted_and_it_says_what_that_means(backups: Backups, revoked_since: str):  # noqa: F811
    backups.begin()
    result = backups.run("restore", revoked_since, "--keep-access")
    assert result.exit_code == 0
    assert "active again" in result.stdout
    assert set(states(backups).values()) == {"active"}


def test_fences_begin_beyond_all_that_may_have_been_given_since(backups: Backups, revoked_since: str):  # noqa: F811
    assert fence_floor() == 0
    began = now_us()
    backups.begin()
    backups.ask("restore", revoked_since, "--keep-access")
    first = fence_floor()
    assert (began - FENCES_SINCE_US) // 1000 <= first <= (now_us() - FENCES_SINCE_US) // 1000
    backups.ask("restore", revoked_since, "--force")
    assert fence_floor() > first
