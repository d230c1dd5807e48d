"""What two servers say to one another, and what the answers mean for the caller here.

The other server may be anything: its answers are bounded, checked, and never shown as they are.
"""

import re
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta

from pendesk.domain.errors import Advice, OtherServerSilent, RuleBroken
from pendesk.domain.guest_request import clean_guest_line
from pendesk.domain.hidden_characters import remove_hidden
from pendesk.domain.limits import GUEST_REQUESTS_PULLED, ID_CHARS, LABEL_CHARS, MESSAGE_CHARS, NAME_CHARS, URL_CHARS
from pendesk.domain.mirror import FORMAT
from pendesk.operations.operation import encode_json
from pendesk.operations.outbound import Outbound, Reply
from pendesk.operations.sharing.mirror_json import ShownProject

_LINK = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?/share/pendesk_shr_[0-9A-Za-z]+\Z")
RENEW = (
    Advice(
        "Ask your user for a token of that server with the scope desk.write, then call publish_project with it.",
        ("publish_project",),
    ),
    Advice("Create a new one there with the scope desk.write, then publish again with it."),
)


class ServerInfo(msgspec.Struct, rename="camel"):
    server: str
    picture_formats: list[int]


class PlacedMirror(msgspec.Struct, rename="camel"):
    """Where the mirror stands. held_newer: the other server has one that was drawn later, and keeps it."""

    url: Annotated[str, Meta(max_length=URL_CHARS)]
    changed: bool
    held_newer: bool = False


class FetchedGuestRequest(msgspec.Struct, rename="camel"):
    item_id: Annotated[str, Meta(min_length=1, max_length=ID_CHARS)]
    title: Annotated[str, Meta(max_length=LABEL_CHARS)]
    body: Annotated[str, Meta(max_length=MESSAGE_CHARS)]
    guest_name: Annotated[str, Meta(max_length=NAME_CHARS)]

    def __post_init__(self) -> None:
        """Guests of ours cannot send such characters; another server might."""
        self.title, self.guest_name = clean_guest_line(self.title), clean_guest_line(self.guest_name)
        self.body = remove_hidden(self.body)


class WaitingGuestRequests(msgspec.Struct, rename="camel"):
    items: Annotated[list[FetchedGuestRequest], Meta(max_length=GUEST_REQUESTS_PULLED)]
    more: bool = False


async def check_server_compatible(outbound: Outbound, server_url: str) -> None:
    """Before any secret is sent: is this a server of our kind, and does it read our format?"""
    reply = await outbound.send("GET", f"{server_url}/api/v1/sync")
    try:
        info = msgspec.json.decode(reply.body, type=ServerInfo)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        info = ServerInfo("", [])
    if reply.status >= 500:
        _raise_unavailable(server_url, reply.status)
    if reply.status != 200 or info.server != "pendesk":
        raise RuleBroken(
            f"{server_url} is not a Pendesk server that accepts mirrors (it answered {reply.status}). Check the "
            "address: no path, and the one that it does not redirect from. An old version must be updated first.",
            code="not_a_pendesk_server",
        )
    if FORMAT not in info.picture_formats:
        older = max(info.picture_formats, default=0) < FORMAT
        raise RuleBroken(
            f"{server_url} and this server are of different versions. Update {'that one' if older else 'this one'}.",
            code="version_mismatch",
        )


async def put_mirror(
    outbound: Outbound, target: "MirrorTarget", content: ShownProject, content_as_of: int, *, create: bool
) -> PlacedMirror:
    body = {"format": FORMAT, "picture": content, "drawn_at": content_as_of, "create": create}
    reply = await outbound.send("PUT", target.mirror_url(), target.token, encode_json(body))
    placed: PlacedMirror = _decode_reply(target, reply, PlacedMirror)
    if not _LINK.match(placed.url):
        _raise_unexpected_answer(target)
    return placed


async def fetch_guest_requests(outbound: Outbound, target: "MirrorTarget") -> WaitingGuestRequests:
    reply = await outbound.send("GET", f"{target.mirror_url()}/items", target.token)
    waiting: WaitingGuestRequests = _decode_reply(target, reply, WaitingGuestRequests)
    return waiting


async def acknowledge_guest_requests(outbound: Outbound, target: "MirrorTarget", ids: list[str]) -> None:
    body = encode_json({"item_ids": ids})
    await outbound.send("POST", f"{target.mirror_url()}/items/acknowledge", target.token, body)


class MirrorTarget(msgspec.Struct, frozen=True):
    server_url: str
    token: str
    source_id: str

    def mirror_url(self) -> str:
        return f"{self.server_url}/api/v1/sync/pictures/{self.source_id}"


def _decode_reply(target: MirrorTarget, reply: Reply, reply_type: Any) -> Any:
    if reply.status in (200, 201):
        try:
            return msgspec.json.decode(reply.body, type=reply_type)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            _raise_unexpected_answer(target)
    _raise_for_error_status(target, reply.status)


def _raise_for_error_status(target: MirrorTarget, status: int) -> NoReturn:
    server = target.server_url
    if status == 401:
        raise RuleBroken(
            f"{server} does not accept the token: unknown, expired or revoked.", code="token_refused", advice=RENEW
        )
    if status == 403:
        raise RuleBroken(
            f"{server} knows the token, but it may not do this: it needs the scope desk.write, of a member there.",
            code="token_scope_missing",
            advice=RENEW,
        )
    if status == 404:
        raise RuleBroken(
            f"{server} no longer has the mirror: somebody removed it there.",
            code="removed_there",
            advice=(
                Advice("If your user wants it there, publish it again with publish_project.", ("publish_project",)),
                Advice("Publish it again."),
            ),
        )
    if status == 413:
        raise RuleBroken(f"The mirror is larger than {server} accepts. Ask who runs it.", code="too_large_there")
    if status in (429, 502, 503, 504) or status >= 500:
        _raise_unavailable(server, status)
    raise RuleBroken(
        f"{server} refused it (status {status}). It may run another version: ask who runs the older one of the two to "
        "update it.",
        code="refused_there",
    )


def _raise_unavailable(server_url: str, status: int) -> NoReturn:
    raise OtherServerSilent(
        f"{server_url} cannot answer now (status {status}). Nothing was changed here; try again in a minute.",
        code="server_busy",
    )


def _raise_unexpected_answer(target: MirrorTarget) -> NoReturn:
    raise RuleBroken(
        f"{target.server_url} answered in a way that a Pendesk server does not. Ask who runs it about its address and "
        "version.",
        code="not_a_pendesk_server",
    )
