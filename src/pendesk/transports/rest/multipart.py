"""An uploaded file: the body itself, or a part of multipart/form-data, which `curl -F file=@...` and HTML forms send.

A form has one part called `file`; the others are fields, as in a query. The file is written as it arrives; only the
fields, which are small, stay in memory.
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
MAX_PARTS = 40
FIELD_BYTES = 8 * 1024
# Boundaries, headers and fields: how much larger than its file a form may be.
FORM_OVERHEAD_BYTES = 128 * 1024

Write = Callable[[bytes], None]


class UploadFields(NamedTuple):
    """The fields of a form, and the name and type of its file. Empty if the body is the file itself."""

    fields: list[tuple[str, str]] = []
    name: str = ""
    media_type: str = ""


def is_multipart(request: Request) -> bool:
    return media_type(request) == FORM


def media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def set_body_limit_for_upload(request: Request, max_file_bytes: int) -> None:
    """Accept a body with a file of that size; what writes the file refuses a larger one."""
    request.scope["pendesk.body_bytes"] = max_file_bytes + (FORM_OVERHEAD_BYTES if is_multipart(request) else 0)


async def receive_upload(request: Request, write_chunk: Write) -> UploadFields:
    """`write_chunk` is called in a thread, chunk by chunk."""
    if not is_multipart(request):
        async for chunk in request.stream():
            await asyncio.to_thread(write_chunk, chunk)
        return UploadFields()
    _kind, options = parse_options_header(request.headers["content-type"])
    parser = _FormParser(options.get(b"boundary", b""), write_chunk)
    async for chunk in request.stream():
        await asyncio.to_thread(parser.feed, chunk)
    return parser.finish()


class _FormParser:
    """Collects the fields of a form and writes its file, chunk by chunk."""

    def __init__(self, boundary: bytes, write: Write) -> None:
        if not boundary:
            raise _unreadable_form_error("Content-Type has no boundary")
        self._write = write
        self._fields: list[tuple[str, str]] = []
        self._file: UploadFields | None = None
        self._parts = 0
        self._ended = False
        self._on_part_begin()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._on_part_begin,
                    "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
                    "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": self._on_headers_finished,
                    "on_part_data": lambda data, start, end: self._on_part_data(data[start:end]),
                    "on_part_end": self._on_part_end,
                    "on_end": self._on_form_end,
                },
            )
        except FormParserError as problem:
            raise _unreadable_form_error(str(problem)) from None

    def feed(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError as problem:
            raise _unreadable_form_error(str(problem)) from None

    def finish(self) -> UploadFields:
        if not self._ended:
            raise _unreadable_form_error("it is incomplete")
        if self._file is None:
            raise BadField(FILE, "is missing. Send the file as the part of this name: curl -F file=@path.")
        return self._file._replace(fields=self._fields)

    def _on_part_begin(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._header, self._value = bytearray(), bytearray()
        self._name, self._text = "", bytearray()

    def _on_header_end(self) -> None:
        self._headers[bytes(self._header).lower()] = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _on_headers_finished(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise _unreadable_form_error(f"it has more than {MAX_PARTS} parts")
        _kind, disposition = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = _decode_utf8(disposition.get(b"name", b""))
        if self._name != FILE:
            return
        if self._file is not None:
            raise BadField(FILE, "is sent twice; send one file at a time.")
        media_type = self._headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        # Some programs send the full path.
        name = _decode_utf8(disposition.get(b"filename", b"")).replace("\\", "/").rpartition("/")[2]
        self._file = UploadFields(name=name, media_type=_decode_utf8(media_type))

    def _on_part_data(self, data: bytes) -> None:
        if self._name == FILE:
            self._write(data)
            return
        self._text += data
        if len(self._text) > FIELD_BYTES:
            raise BadField(self._name, f"is longer than {FIELD_BYTES} bytes.")

    def _on_part_end(self) -> None:
        if self._name != FILE:
            self._fields.append((self._name, _decode_utf8(bytes(self._text))))

    def _on_form_end(self) -> None:
        self._ended = True


def _decode_utf8(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise _unreadable_form_error("a name or a field is not UTF-8") from None


def _unreadable_form_error(reason: str) -> BadField:
    return BadField("", f"The form cannot be read: {reason[:200]}. Send it as curl -F file=@path does.")
