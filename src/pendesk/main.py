"""Composition root: settings -> database -> store -> dispatcher -> ASGI app. All that runs is listed here."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pendesk.domain.errors import Refusal, Unavailable
from pendesk.feed.feed import POLL_EVERY_S, Feed
from pendesk.operations.attachments import sweep_files
from pendesk.operations.dispatch import Store
from pendesk.operations.exchange import delete_unfinished_imports
from pendesk.operations.housekeeping import (
    delete_old_idempotency_keys,
    delete_old_invites,
    delete_old_oauth_state,
    delete_old_rate_windows,
    delete_old_session_marks,
    delete_old_sign_ins,
    delete_old_text_use,
    delete_old_tool_uses,
    fold_tallies,
)
from pendesk.operations.operation import AnyOperation, Installation, ServerOperation
from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.operations.sessions import delete_old_steps
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.operations.sharing import reencrypt_tokens
from pendesk.operations.timeline import seal_log
from pendesk.operations.timeline.seal_log import SEAL_EVERY_S
from pendesk.settings import Settings
from pendesk.store import installation, secret
from pendesk.store.engine import installation_lock
from pendesk.store.engine.folder_lock import ProcessInfo, this_process_info
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.open_store import open_store
from pendesk.store.files import Files
from pendesk.transports import health
from pendesk.transports.anonymous_limits import create_anonymous_throttles
from pendesk.transports.attachments import get_attachment
from pendesk.transports.authenticate import Authenticator
from pendesk.transports.body_limit import BodyLimit
from pendesk.transports.buffered_steps import SAVE_EVERY_S, save_buffered_steps
from pendesk.transports.exchange import get_export, post_import
from pendesk.transports.fetch import Fetcher
from pendesk.transports.host_check import HostCheck
from pendesk.transports.http_outbound import create_http_outbound
from pendesk.transports.live.endpoint import PATH as EVENTS_PATH
from pendesk.transports.live.endpoint import EventsEndpoint
from pendesk.transports.markdown.prose import RENDERER
from pendesk.transports.mcp.endpoint import PATHS as MCP_PATHS
from pendesk.transports.mcp.endpoint import McpEndpoint
from pendesk.transports.mcp.hooks import Hooks
from pendesk.transports.mcp.tool_uses import create_tool_uses
from pendesk.transports.mcp.tools import Toolbox
from pendesk.transports.metrics import MeteredDispatcher, Metrics
from pendesk.transports.metrics_page import get_metrics
from pendesk.transports.oauth.authorize import authorize_page
from pendesk.transports.oauth.device_authorization import post_device_authorization
from pendesk.transports.oauth.device_page import device_page
from pendesk.transports.oauth.documents import ClientMetadataFetcher
from pendesk.transports.oauth.metadata import get_authorization_server_metadata, get_protected_resource_metadata
from pendesk.transports.oauth.register import post_register
from pendesk.transports.oauth.revoke import post_revoke
from pendesk.transports.oauth.token import post_token
from pendesk.transports.oidc.pages import CALLBACK as OIDC_CALLBACK
from pendesk.transports.oidc.pages import START as OIDC_START
from pendesk.transports.oidc.pages import get_oidc_callback, redirect_to_oidc_provider
from pendesk.transports.oidc.provider import create_provider
from pendesk.transports.request_log import RequestLog
from pendesk.transports.rest import openapi
from pendesk.transports.rest.endpoint import rest_routes
from pendesk.transports.security_headers import SecurityHeaders
from pendesk.transports.service import Service
from pendesk.transports.share.routes import SHARE_ROUTES
from pendesk.transports.single_headers import SingleHeaders
from pendesk.transports.sync import get_version_and_mirror_formats
from pendesk.transports.throttle import MemoryThrottle, create_throttle
from pendesk.transports.web.pages.card_list import get_csv
from pendesk.transports.web.pages.files import redirect_to_attachment
from pendesk.transports.web.pages.form_post import post_operation_form
from pendesk.transports.web.pages.invite import invite_page
from pendesk.transports.web.pages.live_parts import get_live_parts
from pendesk.transports.web.pages.offline import get_offline_page
from pendesk.transports.web.pages.preview import post_markdown_preview, post_word_diff
from pendesk.transports.web.pages.registry import PAGES
from pendesk.transports.web.pages.saved_view import redirect_to_saved_view
from pendesk.transports.web.pages.sign_in import post_sign_out, sign_in_page
from pendesk.transports.web.parts import error_pages
from pendesk.transports.web.parts.assets import get_static_asset
from pendesk.transports.web.parts.one_time_secret import one_time_secret_routes
from pendesk.transports.web.parts.view import page_routes
from pendesk.transports.webhooks.github import post_github_webhook
from pendesk.transports.webhooks.github_fetches import POLL_EVERY_S as FETCH_EVERY_S
from pendesk.transports.webhooks.github_fetches import fetch_due
from pendesk.transports.webhooks.outgoing import Deliverer, create_delivery_lease_holder_name, create_webhook_fetcher

log = logging.getLogger("pendesk")

ROUTES = [
    Route("/live", get_live_parts, methods=["GET"]),  # what open pages ask for all the time is found first
    *page_routes(PAGES),
    Route("/p/{key}/list.csv", get_csv, methods=["GET"]),
    Route("/views/{view}", redirect_to_saved_view, methods=["GET"]),
    *one_time_secret_routes(),
    Route("/do/{operation}", post_operation_form, methods=["POST"]),
    Route("/sign-in", sign_in_page, methods=["GET", "POST"]),
    Route(OIDC_START, redirect_to_oidc_provider, methods=["GET"]),
    Route(OIDC_CALLBACK, get_oidc_callback, methods=["GET"]),
    Route("/sign-out", post_sign_out, methods=["POST"]),
    Route("/invite", invite_page, methods=["GET", "POST"]),
    Route("/offline", get_offline_page, methods=["GET"]),
    *SHARE_ROUTES,
    Route("/preview", post_markdown_preview, methods=["POST"]),
    Route("/preview/diff", post_word_diff, methods=["POST"]),
    Route("/files/{attachment}", redirect_to_attachment, methods=["GET"]),
    Route("/static/{name}", get_static_asset, methods=["GET"]),
    Route("/attachments/{workspace}/{id}", get_attachment, methods=["GET"]),
    Route("/.well-known/oauth-authorization-server", get_authorization_server_metadata, methods=["GET"]),
    Route("/.well-known/oauth-authorization-server/mcp", get_authorization_server_metadata, methods=["GET"]),
    Route("/.well-known/oauth-protected-resource", get_protected_resource_metadata, methods=["GET"]),
    Route("/.well-known/oauth-protected-resource/mcp", get_protected_resource_metadata, methods=["GET"]),
    Route("/oauth/authorize", authorize_page, methods=["GET", "POST"]),
    Route("/oauth/token", post_token, methods=["POST"]),
    Route("/oauth/register", post_register, methods=["POST"]),
    Route("/oauth/revoke", post_revoke, methods=["POST"]),
    Route("/oauth/device_authorization", post_device_authorization, methods=["POST"]),
    Route("/device", device_page, methods=["GET", "POST"]),
    Route("/api/v1/health", health.get_health, methods=["GET"]),
    *openapi.ROUTES,
    Route("/api/v1/projects/import", post_import, methods=["POST"]),
    Route("/api/v1/projects/{project_id}/export", get_export, methods=["GET"]),
    *rest_routes(),
    Route("/api/v1/sync", get_version_and_mirror_formats, methods=["GET"]),
    Route("/webhooks/github", post_github_webhook, methods=["POST"]),
    Route("/webhooks/github/{project_id}", post_github_webhook, methods=["POST"]),
    Route("/metrics", get_metrics, methods=["GET"]),
]

# What every request passes on its way in, the outermost first.
MIDDLEWARE: list[Callable[[ASGIApp, Service], ASGIApp]] = [
    lambda app, service: SecurityHeaders(app, service.installation.public_url),
    lambda app, service: RequestLog(app, service.metrics),
    lambda app, service: HostCheck(app, service.settings.host, service.installation.public_url),
    lambda app, _service: SingleHeaders(app),
    lambda app, service: BodyLimit(app, service.installation.limits.body_bytes),
]


class BackgroundTask(NamedTuple):
    """Housekeeping while the server runs; what must not be left undone runs once more at the end."""

    name: str
    every_s: float
    run: Callable[[Service], Awaitable[object]]
    at_stop: bool = False
    first_after_s: float | None = None


def server_operation_runner(operation: ServerOperation[None, Any]) -> Callable[[Service], Awaitable[object]]:
    return lambda service: service.dispatcher.call_as_server(operation, None)


BACKGROUND = [
    BackgroundTask(
        "poll what other processes saved",
        POLL_EVERY_S,
        lambda service: service.feed.poller.wake_workspaces_with_new_events(),
    ),
    BackgroundTask("deliver to webhooks", 1, lambda service: run_webhook_delivery_loop(service)),
    BackgroundTask("read from GitHub", FETCH_EVERY_S, lambda service: fetch_due(service.dispatcher)),
    BackgroundTask("listen to other servers", 1, lambda service: service.feed.run_peer_notifications()),
    BackgroundTask("save the steps of sessions", SAVE_EVERY_S, save_buffered_steps, True),
    BackgroundTask("seal the log", SEAL_EVERY_S, server_operation_runner(seal_log.OPERATION), True),
    BackgroundTask("delete old idempotency keys", 3600, server_operation_runner(delete_old_idempotency_keys.OPERATION)),
    BackgroundTask(
        "delete old sign-in links and sessions", 3600, server_operation_runner(delete_old_sign_ins.OPERATION)
    ),
    BackgroundTask("delete old invites", 3600, server_operation_runner(delete_old_invites.OPERATION)),
    BackgroundTask("delete old session marks", 3600, server_operation_runner(delete_old_session_marks.OPERATION)),
    BackgroundTask("delete old counts of text", 3600, server_operation_runner(delete_old_text_use.OPERATION)),
    BackgroundTask("delete old steps", 3600, server_operation_runner(delete_old_steps.OPERATION)),
    BackgroundTask("delete what OAuth no longer needs", 600, server_operation_runner(delete_old_oauth_state.OPERATION)),
    BackgroundTask("delete what several servers shared", 600, lambda service: delete_expired_shared_rows(service)),
    BackgroundTask("fold the tallies of actions", 60, server_operation_runner(fold_tallies.OPERATION)),
    BackgroundTask(
        "delete unfinished imports",
        60,
        server_operation_runner(delete_unfinished_imports.OPERATION),
        first_after_s=0,
    ),
    BackgroundTask("look at the database file", health.LOOK_EVERY_S, health.look_for_damage, first_after_s=0),
    BackgroundTask("look through all of it", health.LOOK_EVERY_S, health.look_for_all_damage, first_after_s=3600),
    BackgroundTask("remove files that nothing refers to", 3600, server_operation_runner(sweep_files.OPERATION)),
]


async def delete_expired_shared_rows(service: Service) -> None:
    """Rate limits and tool uses. SQLite has one server, which has both in memory."""
    if service.dispatcher.database_engine == "postgres":
        await service.dispatcher.call_as_server(delete_old_rate_windows.OPERATION, None)
        await service.dispatcher.call_as_server(delete_old_tool_uses.OPERATION, None)


async def run_webhook_delivery_loop(service: Service) -> None:
    fetcher, server = create_webhook_fetcher(service.settings), create_delivery_lease_holder_name(service.dispatcher)
    await Deliverer(service.dispatcher, fetcher, server).run()


@asynccontextmanager
async def open_service(
    settings: Settings,
    public_url: str,
    operations: list[AnyOperation] = OPERATIONS,
    process: ProcessInfo | None = None,
) -> AsyncIterator[Service]:
    """The whole installation without its web server: for `serve`, and for commands on the data folder."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    process = process or this_process_info("pendesk")
    with installation_lock.migrate_and_hold_shared_lock(settings.data_location, process) as held:
        async with _open_service_without_lock(settings, public_url, operations, process) as service:
            held.mark_connected()
            yield service


@asynccontextmanager
async def open_service_exclusively(settings: Settings, public_url: str, process: ProcessInfo) -> AsyncIterator[Service]:
    """The same, while no other process has it open."""
    with installation_lock.hold_exclusive_lock_if_supported(settings.data_location, process):
        migrate(settings.sqlite_file, settings.database_url)
        async with _open_service_without_lock(settings, public_url, OPERATIONS, process) as service:
            yield service


@asynccontextmanager
async def _open_service_without_lock(
    settings: Settings, public_url: str, operations: list[AnyOperation], process: ProcessInfo
) -> AsyncIterator[Service]:
    store = open_store(settings, process)
    try:
        files = Files(settings.data / "attachments")
        key = await _load_or_create_installation_secret(settings, store)
        # Only a restore changes it, and never beneath a server.
        limits = settings.limits._replace(fence_floor=await store.read("", installation.fence_floor))
        about = Installation(limits, key, public_url, files)
        dispatcher = MeteredDispatcher(store, operations, about, create_http_outbound(settings))
        dispatcher.metrics = Metrics()
        if count := await dispatcher.call_as_server(reencrypt_tokens.OPERATION, None):
            log.info("encrypted %d stored tokens again", count)
        yield Service(
            settings,
            about,
            dispatcher,
            files,
            dispatcher.metrics,
            Feed(store),
            StepBuffer(has_peers=store.engine == "postgres"),
        )
    finally:
        await store.close()


async def _load_or_create_installation_secret(settings: Settings, store: Store) -> bytes:
    """The secret that the database is bound to. One is made only for a database that knows none yet."""
    fingerprint = await store.read("", installation.secret_fingerprint)
    secret.recover_interrupted_rotation(settings.data, fingerprint)
    key = secret.resolve_current_secret(settings.data, settings.secret_key, fingerprint)
    if key is None and fingerprint is not None:
        raise installation.WrongSecret(
            f"The secret of this database is not here: PENDESK_SECRET_KEY is not set and {settings.data} holds no "
            f"{secret.FILE_NAME}. Set it to the old value, or put the file back from a backup."
        )
    bound = key or secret.read_or_create(settings.data)
    try:
        await store.write("", lambda tx: installation.check_secret_matches_database(tx, bound))
    except installation.WrongSecret:
        if key is None:  # another folder's was first; ours must not be taken for it
            secret.remove_secret_file_if_equal(settings.data, bound)
        raise
    return bound


def create_app(service: Service, toolbox: Toolbox | None = None) -> ASGIApp:
    limits = service.installation.limits
    throttles = create_anonymous_throttles(service.dispatcher, limits)
    requests = create_throttle(service.dispatcher, limits.requests_per_minute)
    gate = Authenticator(service, requests, throttles.unknown_tokens)
    tool_uses = create_tool_uses(service.dispatcher)
    hook_throttle = MemoryThrottle(limits.hook_calls_per_minute, "hook calls in a minute")
    hooks = Hooks(service.dispatcher, hook_throttle, tool_uses, service.steps)
    mcp = McpEndpoint(service, gate, toolbox or Toolbox(TOOLS), hooks, tool_uses)
    events = EventsEndpoint(service, gate)
    routed = Starlette(
        routes=ROUTES,
        exception_handlers={
            Refusal: error_pages.on_refusal,
            HTTPException: error_pages.on_http_error,
            Exception: error_pages.on_internal_error,
        },
    )
    routed.router.redirect_slashes = False  # an address is right or it is not
    routed.state.service = service
    routed.state.gate = gate
    routed.state.health = health.Health(service.dispatcher)
    routed.state.throttles = throttles
    routed.state.streams = events.streams
    routed.state.documents = ClientMetadataFetcher(Fetcher())
    routed.state.oidc = create_provider(service.settings)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in MCP_PATHS:
            scope["pendesk.route"] = "/mcp"  # what the log and the metrics call it
            await mcp(scope, receive, send)
        elif scope["path"] == EVENTS_PATH:
            scope["pendesk.route"] = EVENTS_PATH
            await events(scope, receive, send)
        else:
            await routed(scope, receive, send)

    for wrap in reversed(MIDDLEWARE):
        app = wrap(app, service)  # type: ignore[assignment]
    return app


@asynccontextmanager
async def run_background_tasks(service: Service) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(_run_periodically(service, chore), name=chore.name) for chore in BACKGROUND]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        RENDERER.stop()
        for chore in BACKGROUND:
            if chore.at_stop:
                await _run_once_logging_errors(service, chore)


async def _run_periodically(service: Service, task: BackgroundTask) -> None:
    await asyncio.sleep(task.every_s if task.first_after_s is None else task.first_after_s)
    while True:
        await _run_once_logging_errors(service, task)
        await asyncio.sleep(task.every_s)


async def _run_once_logging_errors(service: Service, task: BackgroundTask) -> None:
    try:
        await task.run(service)
    # The next round tries again; a server that answers is worth more than a tidy one.
    except Unavailable as refusal:
        log.warning("could not %s: %s", task.name, refusal.message)
    except Exception:
        log.exception("could not %s", task.name)
