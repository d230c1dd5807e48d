"""Operations that no actor calls, as functions for tests: each goes through a real dispatcher."""

from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.limits import Limits
from pendesk.domain.oauth import OAuthClient
from pendesk.domain.oidc import Identity
from pendesk.operations import registry
from pendesk.operations.access.accept_invite_as_known_user import AcceptInviteAsKnownUser
from pendesk.operations.access.accept_invite_as_new_user import AcceptInviteAsNewUser
from pendesk.operations.access.create_first_workspace import CreateFirstWorkspace
from pendesk.operations.access.start_oidc_session import JoinPolicy, StartOidcSession
from pendesk.operations.access.start_password_session import StartPasswordSession
from pendesk.operations.access.start_session import StartSession
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.oauth.answer_consent import AnswerConsent
from pendesk.operations.oauth.issue import IssuedTokens
from pendesk.operations.oauth.open_consent import ConsentRequest, OpenConsent
from pendesk.operations.oauth.poll_device import PollDevice
from pendesk.operations.oauth.redeem_code import RedeemCode
from pendesk.operations.oauth.refresh_grant import RefreshGrant
from pendesk.operations.oauth.register_client import RegisterClient
from pendesk.operations.oauth.revoke_by_token import RevokeByToken
from pendesk.operations.oauth.start_device import StartDevice
from pendesk.operations.operation import Installation
from pendesk.operations.timeline.verify_log import VerifyLog
from tests.desk import FILES

SECRET_OPERATIONS = {operation.name: operation for operation in registry.SECRET_OPERATIONS}
SERVER_OPERATIONS = {operation.name: operation for operation in registry.SERVER_OPERATIONS}


def dispatcher_of(store: Store, key: bytes = b"a signing key for tests") -> Dispatcher:
    return Dispatcher(store, [], Installation(Limits(), key, "http://127.0.0.1:3847", FILES))


async def by_secret(dispatcher: Dispatcher, name: str, args: Any) -> Any:
    return await dispatcher.call_by_secret(SECRET_OPERATIONS[name], args)


async def as_server(dispatcher: Dispatcher, name: str, args: Any = None) -> Any:
    return await dispatcher.call_as_server(SERVER_OPERATIONS[name], args)


async def start_session(dispatcher: Dispatcher, code: str, browser: str = "") -> str | None:
    secret: str | None = await by_secret(dispatcher, "start_session", StartSession(code, browser))
    return secret


async def find_session(dispatcher: Dispatcher, secret: str) -> Actor | None:
    actor: Actor | None = await by_secret(dispatcher, "find_session", secret)
    return actor


async def end_session(dispatcher: Dispatcher, secret: str) -> None:
    await by_secret(dispatcher, "end_session", secret)


async def start_password_session(dispatcher: Dispatcher, email: str, password: str, browser: str = "") -> Any:
    return await by_secret(dispatcher, "start_password_session", StartPasswordSession(email, password, browser))


async def start_oidc_session(dispatcher: Dispatcher, identity: Identity, joining: JoinPolicy, browser: str = "") -> Any:
    return await by_secret(dispatcher, "start_oidc_session", StartOidcSession(identity, joining, browser))


async def find_invite(dispatcher: Dispatcher, code: str) -> Any:
    return await by_secret(dispatcher, "find_invite", code)


async def accept_invite_as_new_user(dispatcher: Dispatcher, code: str, user: dict[str, str]) -> Any:
    return await by_secret(dispatcher, "accept_invite_as_new_user", AcceptInviteAsNewUser(code, **user))


async def accept_invite_as_known_user(dispatcher: Dispatcher, code: str, user_id: str) -> Any:
    return await by_secret(dispatcher, "accept_invite_as_known_user", AcceptInviteAsKnownUser(code, user_id))


async def create_first_workspace(dispatcher: Dispatcher, *, workspace: str, name: str, email: str | None = None) -> Any:
    args = CreateFirstWorkspace(workspace=workspace, name=name, email=email)
    return await as_server(dispatcher, "create_first_workspace", args)


async def find_local_actor(dispatcher: Dispatcher, email: str = "") -> Any:
    return await as_server(dispatcher, "find_local_actor", email)


async def rotate_secret(dispatcher: Dispatcher, key: bytes) -> Any:
    return await as_server(dispatcher, "rotate_secret", key)


async def seal_log(store: Store, key: bytes) -> Any:
    return await as_server(dispatcher_of(store, key), "seal_log")


async def verify_log(store: Store, key: bytes, workspace_id: str) -> Any:
    verdicts = await as_server(dispatcher_of(store, key), "verify_log", VerifyLog(workspace_id=workspace_id))
    return verdicts[0].verdict


async def admit_guest(dispatcher: Dispatcher, secret: str) -> Any:
    return await by_secret(dispatcher, "admit_guest", secret)


async def find_client(dispatcher: Dispatcher, client_id: str) -> Any:
    return await by_secret(dispatcher, "find_client", client_id)


async def register_client(dispatcher: Dispatcher, name: str, redirect_uris: list[str]) -> OAuthClient:
    client: OAuthClient = await by_secret(dispatcher, "register_client", RegisterClient(name, redirect_uris))
    return client


async def open_consent(dispatcher: Dispatcher, session: str, request: ConsentRequest) -> Any:
    """The page's ticket."""
    return (await by_secret(dispatcher, "open_consent", OpenConsent(session, request))).ticket


async def answer_consent(
    dispatcher: Dispatcher, ticket: str, session: str, user_id: str, workspace_id: str, allowed: bool
) -> Any:
    answer = AnswerConsent(ticket, session, user_id, workspace_id, allowed)
    return await by_secret(dispatcher, "answer_consent", answer)


async def redeem_code(dispatcher: Dispatcher, code: RedeemCode) -> IssuedTokens:
    issued: IssuedTokens = await by_secret(dispatcher, "redeem_code", code)
    return issued


async def refresh_grant(dispatcher: Dispatcher, token: RefreshGrant) -> Any:
    return await by_secret(dispatcher, "refresh_grant", token)


async def revoke_by_token(dispatcher: Dispatcher, token: str, client_id: str) -> None:
    await by_secret(dispatcher, "revoke_by_token", RevokeByToken(token, client_id))


async def start_device(dispatcher: Dispatcher, client: OAuthClient, scopes: str, resource: str) -> Any:
    return await by_secret(dispatcher, "start_device", StartDevice(client, scopes, resource))


async def find_device(dispatcher: Dispatcher, typed: str) -> Any:
    return await by_secret(dispatcher, "find_device", typed)


async def poll_device(dispatcher: Dispatcher, device_code: str, client_id: str) -> Any:
    return await by_secret(dispatcher, "poll_device", PollDevice(device_code, client_id))
