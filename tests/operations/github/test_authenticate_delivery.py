"""A call of GitHub's is believed by its signature alone, and refused in one way."""

import hashlib
import hmac

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import Forbidden
from pendesk.ids import new_id
from pendesk.operations.github import authenticate_delivery
from pendesk.operations.github.authenticate_delivery import AuthenticateDelivery
from tests.refusals import refused

BODY = b'{"zen": "Keep it logically awesome."}'


@pytest.fixture
async def hook(desk):
    owner = await desk.person("Ada", Role.OWNER)
    page = f"https://github.com/acme/{desk.workspace}"
    project = await desk.call(owner, "create_project", name="Harbor", repository_url=page)
    webhook = await desk.call(owner, "set_github_webhook", project_id=project["pid"])
    signature = hmac.new(webhook["secret"].encode(), BODY, hashlib.sha256).hexdigest()
    return AuthenticateDelivery(project["pid"], page, BODY, f"sha256={signature}")


async def authenticate(desk, delivery):
    return await desk.dispatcher.call_by_secret(authenticate_delivery.OPERATION, delivery)


async def test_a_signed_one_is_of_its_project_by_address_or_by_repository(desk, hook):
    for delivery in (hook, hook._replace(project_id=None)):
        found = await authenticate(desk, delivery)
        assert (found.workspace_id, found.project_id) == (desk.workspace, hook.project_id)


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": ""},
        {"signature": "sha256=" + "0" * 64},
        {"body": BODY + b" "},
        {"project_id": "not an id"},
        {"project_id": new_id()},
        {"project_id": None, "repository": ""},
        {"project_id": None, "repository": "https://github.com/acme/other"},
    ],
)
async def test_everything_else_gets_one_refusal(desk, hook, changes):
    with refused(Forbidden, "bad_signature"):
        await authenticate(desk, hook._replace(**changes))
