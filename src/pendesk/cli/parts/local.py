"""Commands on the data folder itself: who may read it acts as the first owner, by the same dispatcher."""

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pendesk.cli.parts.console import CommandError, Console
from pendesk.settings import Settings

if TYPE_CHECKING:
    from pendesk.store.engine.folder_lock import ProcessInfo

T = TypeVar("T")

SERVER_FILE = "server.json"
# To listen on all interfaces -> how such a server is reached on this machine.
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


class LocalClient:
    """The installation as a command sees it: opened, with the local actor."""

    def __init__(self, service: Any, actor: Any) -> None:
        self.service = service
        self.actor = actor

    async def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        import msgspec

        from pendesk.operations.operation import encode_json

        args = {name: value for name, value in arguments.items() if value is not None}
        output = await self.service.dispatcher.call(self.actor, operation, args)
        result: dict[str, Any] = msgspec.json.decode(encode_json(output))
        return result

    async def call_all_pages(self, operation: str, list_field: str, **arguments: Any) -> dict[str, Any]:
        """Every page of a list."""
        result = await self.call(operation, **arguments)
        cursor = result.pop("nextCursor", None)
        while cursor is not None:
            page = await self.call(operation, cursor=cursor, **arguments)
            result[list_field] += page[list_field]
            cursor = page.get("nextCursor")
        return result


async def create_first_sign_in_link(local: LocalClient) -> str | None:
    """For whoever comes first. Once somebody has signed in, a link is made only where it is asked for."""
    from pendesk.operations.access import has_anybody_signed_in

    workspace_id = local.actor.workspace_id
    if await local.service.dispatcher.call_as_server(has_anybody_signed_in.OPERATION, workspace_id):
        return None
    return str((await local.call("create_sign_in_link"))["url"])


def run_locally(console: Console, work: Callable[[LocalClient], Awaitable[T]]) -> T:
    import asyncio

    settings = console.load_settings()
    check_sqlite_file_exists(settings)
    return asyncio.run(_open_service_and_run(console, settings, work))


def check_sqlite_file_exists(settings: Settings) -> None:
    if settings.sqlite_file is not None and not settings.sqlite_file.exists():
        raise CommandError(f"There is nothing in {settings.data} yet. Run `pendesk init` or `pendesk serve` first.")


async def _open_service_and_run(console: Console, settings: Settings, work: Callable[[LocalClient], Awaitable[T]]) -> T:
    from pendesk.main import open_service
    from pendesk.operations.access import find_local_actor

    async with open_service(settings, public_url(settings), process=current_process()) as service:
        actor = await service.dispatcher.call_as_server(find_local_actor.OPERATION, console.acting_email or "")
        if actor is None and console.acting_email:
            raise CommandError(f"No member has the email {console.acting_email}. `pendesk user list` shows them.")
        if actor is None:
            raise CommandError("There is no workspace yet. Run `pendesk init` or `pendesk serve` first.")
        return await work(LocalClient(service, actor))


def current_process() -> "ProcessInfo":
    """Who holds the data while this command runs: by its words, without their arguments."""
    from pendesk.store.engine.folder_lock import this_process_info

    command, ctx = "", click.get_current_context(silent=True)
    while ctx is not None and ctx.parent is not None:
        command, ctx = f" {ctx.info_name}{command}", ctx.parent
    return this_process_info(f"pendesk{command}")


def public_url(settings: Settings) -> str:
    """The configured one, that of the running server, or the one it would have."""
    if settings.public_url:
        return settings.public_url
    running = read_running_server_info(settings.data)
    return str(running["url"]) if running else http_url(settings.host, settings.port or 3847)


def is_public_url_known(settings: Settings) -> bool:
    """Whether `public_url` is more than a guess."""
    return settings.public_url is not None or read_running_server_info(settings.data) is not None


def http_url(host: str, port: int) -> str:
    """An address to click on: one that listens on all interfaces is reached on this machine."""
    host = EVERY_ADDRESS.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def read_running_server_info(data_folder: Path) -> dict[str, Any] | None:
    """What the server file says, if its process is still there."""
    try:
        server: dict[str, Any] = json.loads((data_folder / SERVER_FILE).read_text("utf-8"))
        if os.name == "posix":  # elsewhere signal 0 is not a question
            os.kill(int(server["pid"]), 0)
    except PermissionError:
        return server  # it runs, as another user
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return server
