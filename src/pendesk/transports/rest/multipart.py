"""A file as it is sent: as the body itself, or as multipart/form-data, which `curl -F file=@...` and HTML forms write.

A form has one part called `file`; the others are fields, as in a query. The file goes where it belongs as it comes, and
nothing is kept here but the fields, which are small.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header
from starlette.requests import Request

from pendesk.domain.errors import BadField

FORM = "multipart/form-data"
FILE = "file"
PARTS = 40
FIELD_BYTES = 8 * 1024
# Boundaries, headers and fields: so much larger than its file may a body be.
AROUND_BYTES = 128 * 1024

Write = Callable[[bytes], None]


class Sent(NamedTuple):
    """What a form says of its file, and beside it. A body that is the file itself says nothing."""

    fields: list[tuple[str, str]] = []
    name: str = ""
    media_type: str = ""


def is_form(request: Request) -> bool:
    return media_type(request) == FORM


def media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def make_room(request: Request, limit_bytes: int) -> None:
    """A body with a file of that size is let through; what writes the file refuses a larger one."""
    request.scope["pendesk.body_bytes"] = limit_bytes + (AROUND_BYTES if is_form(request) else 0)


async def take_file(request: Request, write: Write) -> Sent:
    """`write` is called in a thread, piece by piece."""
    if not is_form(request):
        async for chunk in request.stream():
            await asyncio.to_thread(write, chunk)
        return Sent()
    _kind, options = parse_options_header(request.headers["content-type"])
    form = _Form(options.get(b"boundary", b""), write)
    async for chunk in request.stream():
        await asyncio.to_thread(form.read, chunk)
    return form.sent()


class _Form:
    """What the parser tells of a form, piece by piece."""

    def __init__(self, boundary: bytes, write: Write) -> None:
        if not boundary:
            raise _unreadable("Content-Type tells no boundary")
        self._write = write
        self._fields: list[tuple[str, str]] = []
        self._file: Sent | None = None
        self._parts = 0
        self._ended = False
        self._begin()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
                    "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                    "on_header_end": self._keep_header,
                    "on_headers_finished": self._open,
                    "on_part_data": lambda data, start, end: self._take(data[start:end]),
                    "on_part_end": self._close,
                    "on_end": self._end,
                },
            )
        except FormParserError as problem:
            raise _unreadable(str(problem)) from None

    def read(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError as problem:
            raise _unreadable(str(problem)) from None

    def sent(self) -> Sent:
        if not self._ended:
            raise _unreadable("it breaks off")
        if self._file is None:
            raise BadField(FILE, "is missing. Send the file as the part of this name: curl -F file=@path.")
        return self._file._replace(fields=self._fields)

    def _begin(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._header, self._value = bytearray(), bytearray()
        self._name, self._text = "", bytearray()

    def _keep_header(self) -> None:
        self._headers[bytes(self._header).lower()] = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _open(self) -> None:
        self._parts += 1
        if self._parts > PARTS:
            raise _unreadable(f"it has more than {PARTS} parts")
        _kind, told = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = _text_of(told.get(b"name", b""))
        if self._name != FILE:
            return
        if self._file is not None:
            raise BadField(FILE, "is given twice; send one file at a time.")
        media_type = self._headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        # Some programs tell the whole path.
        name = _text_of(told.get(b"filename", b"")).replace("\\", "/").rpartition("/")[2]
        self._file = Sent(name=name, media_type=_text_of(media_type))

    def _take(self, data: bytes) -> None:
        if self._name == FILE:
            self._write(data)
            return
        self._text += data
        if len(self._text) > FIELD_BYTES:
            raise BadField(self._name, f"is longer than {FIELD_BYTES} bytes.")

    def _close(self) -> None:
        if self._name != FILE:
            self._fields.append((self._name, _text_of(bytes(self._text))))

    def _end(self) -> None:
        self._ended = True


def _text_of(told: bytes) -> str:
    try:
        return told.decode()
    except UnicodeDecodeError:
        raise _unreadable("a name or a field is not UTF-8") from None


def _unreadable(why: str) -> BadField:
    return BadField("", f"The form cannot be read: {why[:200]}. Send it as curl -F file=@path does.")
