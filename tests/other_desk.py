"""Another server for tests to publish on: its dispatcher is real, only the wire between the two is not."""

import re
from typing import Any

import msgspec

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.domain.errors import OtherServerSilent, Refusal
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import encode_json
from pendesk.operations.outbound import Reply
from pendesk.transports.problems import http_status_of
from tests.desk import TestDesk

URL = "https://other.example"
TOKEN = token.make_token(b"t" * 32)
_PICTURE = re.compile(r"/api/v1/sync/pictures/([^/]+)(/items|/items/acknowledge)?\Z")
_OPERATIONS = {
    ("PUT", None): "put_picture",
    ("GET", "/items"): "list_picture_items",
    ("POST", "/items/acknowledge"): "acknowledge_items",
}


class OtherDesk:
    """An outbound that leads to another desk's dispatcher. `fails` is what happens to requests instead, by method."""

    def __init__(self, dispatcher: Dispatcher, member: Actor) -> None:
        self.dispatcher = dispatcher
        self.desk: Any = None  # for tests that look in there
        self.member = member._replace(via="rest")
        self.sent: list[tuple[str, str]] = []
        self.greeting: Any = {"server": "pendesk", "pictureFormats": [1]}
        self.fails: dict[str, Any] = {}

    async def send(self, method: str, url: str, token: str | None = None, body: bytes = b"", **_how: Any) -> Reply:
        path = url.removeprefix(URL)
        self.sent.append((method, path))
        failing = self.fails.get(method)
        if failing == "down":
            raise OtherServerSilent("down", code="server_unreachable")
        if isinstance(failing, Reply):
            return failing
        if path == "/api/v1/sync":
            assert token is None, "no secret is sent before it is known who listens"
            return Reply(200, encode_json(self.greeting))
        if token != TOKEN:
            return Reply(401, b"")
        reply = await self._at_the_door(method, path, body)
        if failing == "answer lost":
            raise OtherServerSilent("lost", code="server_unreachable")
        return reply

    async def check_allowed(self, url: str) -> None:
        pass

    async def _at_the_door(self, method: str, path: str, body: bytes) -> Reply:
        match = _PICTURE.match(path)
        assert match is not None
        asked = {**(msgspec.json.decode(body) if body else {}), "source_id": match[1]}
        try:
            answer = await self.dispatcher.call(self.member, _OPERATIONS[method, match[2]], asked)
        except Refusal as refusal:
            return Reply(http_status_of(refusal), b"")
        return Reply(200, encode_json(answer))


def picture(**more: Any) -> dict[str, Any]:
    """The least that a picture can be."""
    blank = {"counts": {}, "goals": [], "specs": [], "actions": [], "edges": [], "documents": [], "leftOut": 0}
    return {"name": "Theirs", "description": "", "status": "active", **blank, **more}


async def place_picture(desk: TestDesk, who: Actor, name: str) -> str:
    """A picture of somebody else's project, on this desk; the project's id there."""
    source_id = new_id()
    asked = {"source_id": source_id, "format": 1, "drawn_at": 1, "create": True, "picture": picture(name=name)}
    await desk.call(who, "put_picture", **asked)
    return source_id
