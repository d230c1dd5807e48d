"""What the server and its Markdown process say to each other: messages of msgpack, each behind its length."""

from typing import IO, Literal, TypeVar

import msgspec

SECTION = 3  # a page has one h1, and its sections are h2
LENGTH_BYTES = 4

T = TypeVar("T")


class RenderJob(msgspec.Struct, frozen=True, array_like=True):
    """One text to render. `top_heading_level` is the level of its own headings: they fit in below those of the page.

    Code is not rendered: the answer says where its colours are, in the `language` that it is written in.
    """

    kind: Literal["text", "line", "guest", "code"]
    text: str
    repository_url: str | None = None
    top_heading_level: int = SECTION
    language: str = ""


class RenderResult(msgspec.Struct, frozen=True, array_like=True):
    """`html` is None where the text has to be shown as written; `final` where it always will be."""

    html: str | None
    final: bool = True
    fault: str = ""


def send_message(stream: IO[bytes], message: object) -> None:
    body = msgspec.msgpack.encode(message)
    stream.write(len(body).to_bytes(LENGTH_BYTES) + body)
    stream.flush()


def receive_message(stream: IO[bytes], message_type: type[T]) -> T:
    """The next message; EOFError where the other side is gone."""
    length = stream.read(LENGTH_BYTES)
    body = stream.read(int.from_bytes(length))
    if len(length) < LENGTH_BYTES or len(body) < int.from_bytes(length):
        raise EOFError
    return msgspec.msgpack.decode(body, type=message_type)
