"""pendesk serve: run the server until it is stopped."""

import errno
import json
import logging
import os
import socket
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click

from pendesk import __version__
from pendesk.cli.commands.init import default_owner_name
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.local import (
    EVERY_ADDRESS,
    SERVER_FILE,
    LocalClient,
    create_first_sign_in_link,
    http_url,
    read_running_server_info,
)
from pendesk.settings import Settings
from pendesk.store.engine import folder_lock

log = logging.getLogger("pendesk")

FIRST_PORT = 3847
PORTS_TRIED = 200
BACKLOG = 2048
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command()
@click.option("--host", help="Address to listen on [127.0.0.1].")
@click.option("--port", type=int, help="Port [3847]; 0 for the next free one.")
@click.option("--open", "open_browser", is_flag=True, help="Open the sign-in link in a browser.")
@common_options
@pass_console
def serve(console: Console, host: str | None, port: int | None, open_browser: bool) -> None:
    """Start the server. In a new data folder, it creates a workspace and its owner first."""
    settings = console.load_settings(host=host, port=port)
    with _single_server_lock(settings), open_listener(settings) as listener:
        _run_event_loop(_serve(console, settings, listener, open_browser))


def _single_server_lock(settings: Settings) -> AbstractContextManager[None]:
    """Several servers may share a PostgreSQL database, and then the folder too."""
    return nullcontext() if settings.database_url else folder_lock.hold_single_server_lock(settings.data)


def open_listener(settings: Settings) -> socket.socket:
    """The socket, before anything else is opened: a second server on the port fails here."""
    ports = [settings.port] if settings.port else list(range(FIRST_PORT, FIRST_PORT + PORTS_TRIED))
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in ports:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # restart at once after a stop
        try:
            listener.bind((settings.host, port))
            listener.listen(BACKLOG)  # only now is the port ours
            return listener
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE:
                raise CommandError(f"Cannot listen on {settings.host}:{port}: {error.strerror}. Try --host.") from error
    raise CommandError(_port_in_use_message(settings))


def _port_in_use_message(settings: Settings) -> str:
    running = read_running_server_info(settings.data)
    if running and running.get("port") == settings.port:
        return (
            f"Pendesk is already running at {running['url']} (process {running['pid']}). Open it there, stop it, or "
            f"start another with {_free_port_option_hint()}."
        )
    if not settings.port:
        return f"No port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free. Choose one with --port."
    return (
        f"Port {settings.port} on {settings.host} is in use by another program. Use {_free_port_option_hint()} for the "
        "next free port, or choose one with --port."
    )


def _free_port_option_hint() -> str:
    """As it is typed: `make serve` passes options on in a variable."""
    return 'make serve ARGS="--port 0"' if os.environ.get("STARTED_BY") == "make serve" else "--port 0"


async def _serve(console: Console, settings: Settings, listener: socket.socket, open_browser: bool) -> None:
    from pendesk.main import create_app, open_service, run_background_tasks
    from pendesk.operations.access import create_first_workspace, find_local_actor
    from pendesk.operations.access.create_first_workspace import CreateFirstWorkspace
    from pendesk.transports.interpreter import settle_interpreter
    from pendesk.transports.logs import configure_logging
    from pendesk.transports.server import Server, increase_open_file_limit

    configure_logging(settings.log_format)
    increase_open_file_limit()
    port = listener.getsockname()[1]
    url = settings.public_url or http_url(settings.host, port)
    process = folder_lock.this_process_info("pendesk serve", url)
    async with open_service(settings, url, process=process) as service, run_background_tasks(service):
        dispatcher = service.dispatcher
        first = await dispatcher.call_as_server(
            create_first_workspace.OPERATION,
            CreateFirstWorkspace(workspace="My workspace", name=default_owner_name(None)),
        )
        local = LocalClient(service, await dispatcher.call_as_server(find_local_actor.OPERATION, ""))
        status = _initial_status(settings, url, first.new)
        browse_to = (await local.call("create_sign_in_link"))["url"] if open_browser else None
        if browse_to is None and console.prints_to_terminal and (link := await create_first_sign_in_link(local)):
            status["signIn"] = link
        server_file = settings.data / SERVER_FILE

        def started() -> None:
            settle_interpreter()
            _write_running_server_info(server_file, url, port)
            _print_welcome(console, status)
            log.info(
                "serving",
                extra={"log_fields": {"url": url, "version": __version__, "engine": dispatcher.database_engine}},
            )
            if browse_to:
                click.launch(browse_to)

        try:
            app = create_app(service)
            stopping = service.feed.signal.close_and_wake_subscribers
            await Server(app, started, stopping, behind_proxy=bool(settings.public_url)).serve([listener])
        finally:
            _remove_running_server_info(server_file)
            log.info("stopping")
            console.info("Stopped.")


def _initial_status(settings: Settings, url: str, new: bool) -> dict[str, Any]:
    note = public_url_note(settings, url)
    return {"url": f"{url}/", "new": new, "data": str(settings.data), **({"note": note} if note else {})}


def _print_welcome(console: Console, status: dict[str, Any]) -> None:
    if console.as_json:
        click.echo(json.dumps(status))
    created = f"A new workspace was created in {status['data']}.\n" if status["new"] else ""
    link = status.get("signIn")
    link_command = console.append_data_and_config_options("pendesk user link")
    sign_in = (
        f"{link}\n           (works once, for 15 minutes; `{link_command}` creates another)"
        if link
        else f"{link_command}   (creates a link that works once)"
    )
    console.info(
        f"{created}Pendesk {__version__} is running. Ctrl-C stops it.\n\n"
        f"  Open     {status['url']}\n"
        f"  Sign in  {sign_in}\n"
        "  Connect  pendesk connect   (in a repository, for its agents)\n"
    )
    if "note" in status:
        console.warn(status["note"])


def public_url_note(settings: Settings, url: str) -> str | None:
    """For a server that others reach by an address that it does not know."""
    if settings.public_url is not None or settings.host in LOOPBACK:
        return None
    reach = "only work on this machine" if settings.host in EVERY_ADDRESS else "only work where that address is known"
    return (
        f"others can reach this server, but its links and what it tells agents begin with {url} and {reach}. Set "
        "PENDESK_PUBLIC_URL (or public_url in pendesk.toml) to the address that others use."
    )


def _write_running_server_info(path: Path, url: str, port: int) -> None:
    content = {"url": url, "port": port, "pid": os.getpid(), "version": __version__}
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(content), "utf-8")
    draft.replace(path)


def _remove_running_server_info(path: Path) -> None:
    """Another server of this folder may have replaced it."""
    try:
        if json.loads(path.read_text("utf-8"))["pid"] == os.getpid():
            path.unlink()
    except (OSError, ValueError, KeyError):
        pass


def _run_event_loop(coroutine: Any) -> None:
    import asyncio

    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:  # not available on Windows
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(coroutine)
