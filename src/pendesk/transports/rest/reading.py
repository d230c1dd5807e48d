"""A request's path, query, headers and body -> the arguments of an operation. The dispatcher decides what they mean."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request

from pendesk.domain.access import Actor, check_permission
from pendesk.domain.errors import BadField, WrongMediaType
from pendesk.operations.attachments import check_file_room
from pendesk.operations.attachments.check_file_room import CheckFileRoom
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.housekeeping import get_time
from pendesk.operations.operation import AnyOperation, encode_json
from pendesk.operations.text_input import add_argument_or_reject_duplicate, add_arguments_from_text
from pendesk.transports.rest.etags import parse_if_match_revision
from pendesk.transports.rest.multipart import (
    UploadFields,
    is_multipart,
    media_type,
    receive_upload,
    set_body_limit_for_upload,
)
from pendesk.transports.rest.routes import Body
from pendesk.transports.service import Service

Arguments = bytes | Mapping[str, Any]
Reader = Callable[[Request, AnyOperation, Actor], Awaitable[Arguments]]

JSON = "application/json"
_BLANK = b" \t\r\n"
# Test runners colour their output; the dispatcher takes no control characters.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# What programs send along with any file, so that it says nothing about this one.
_NO_TYPE = ("", "application/x-www-form-urlencoded")


async def read_url_arguments(request: Request, operation: AnyOperation, _actor: Actor) -> Arguments:
    return _path_and_query_arguments(request, operation)


async def read_path_and_json_arguments(request: Request, _operation: AnyOperation, _actor: Actor) -> Arguments:
    for name in request.query_params:
        raise BadField(name, "is in the query; this address takes its fields in the body.")
    body = (await request.body()).strip(_BLANK)
    if body and media_type(request) != JSON:
        raise WrongMediaType(f"Send the fields as one JSON object, with Content-Type: {JSON}.")
    beside = encode_json(_path_and_header_arguments(request))
    if not body:
        return beside
    if not body.startswith(b"{"):
        raise BadField("", "The body is not a JSON object. Send one JSON object.")
    # Put together as text, so that the dispatcher sees what is given twice.
    rest = body[1:].lstrip(_BLANK)
    return beside[:-1] + (b"" if beside == b"{}" or rest.startswith(b"}") else b",") + rest


async def read_text_upload(request: Request, operation: AnyOperation, _actor: Actor) -> Arguments:
    taken = bytearray()
    sent = await receive_upload(request, taken.extend)
    try:
        content = bytes(taken).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadField("content", "is not UTF-8 text.") from None
    return add_argument_or_reject_duplicate(
        _path_query_and_form_arguments(request, operation, sent), "content", _CONTROL.sub("", content)
    )


async def receive_file_upload(request: Request, operation: AnyOperation, actor: Actor) -> Arguments:
    """The bytes go to the disk as they come; the operation gets the receipt for them."""
    check_permission(actor, operation.scope, operation.role)  # before 25 MB are taken in
    _path_and_query_arguments(request, operation)  # what is wrong there is refused before the file is read
    service: Service = request.app.state.service
    limit_bytes = service.installation.limits.attachment_bytes
    # What the request says of its size is believed here only to refuse it.
    size = min(int(request.headers.get("content-length", "1")), limit_bytes)
    await service.dispatcher.call_as_server(check_file_room.OPERATION, CheckFileRoom(actor, size))
    set_body_limit_for_upload(request, limit_bytes)
    with service.files.start_upload(limit_bytes) as upload:
        sent = await receive_upload(request, upload.write)
        arguments = _path_query_and_form_arguments(request, operation, sent)
        add_argument_or_reject_duplicate(dict(arguments), "receipt", "")  # of ours there is one, and it is made below
        received = await asyncio.to_thread(upload.save)
    arguments = _describe_file(request, operation, sent) | arguments
    now = await service.dispatcher.call_as_server(get_time.OPERATION, None)
    return add_argument_or_reject_duplicate(
        arguments, "receipt", make_signed_file_receipt(service.installation, actor, received, now)
    )


def _describe_file(request: Request, operation: AnyOperation, sent: UploadFields) -> dict[str, Any]:
    """What the request says of the file, as far as the operation wants to know it."""
    described = {"name": sent.name, "media_type": sent.media_type if is_multipart(request) else media_type(request)}
    taken = operation.input.__struct_fields__
    return {name: value for name, value in described.items() if name in taken and value not in _NO_TYPE}


READERS: dict[Body, Reader] = {
    "json": read_path_and_json_arguments,
    "text": read_text_upload,
    "file": receive_file_upload,
}


def _path_and_query_arguments(request: Request, operation: AnyOperation) -> dict[str, Any]:
    return _path_query_and_form_arguments(request, operation, UploadFields())


def _path_query_and_form_arguments(
    request: Request, operation: AnyOperation, upload_fields: UploadFields
) -> dict[str, Any]:
    """The fields in the path, the headers, the query and the form."""
    return add_arguments_from_text(
        operation.input,
        _path_and_header_arguments(request),
        [*request.query_params.multi_items(), *upload_fields.fields],
    )


def _path_and_header_arguments(request: Request) -> dict[str, Any]:
    """What the path and the headers say."""
    arguments: dict[str, Any] = dict(request.path_params)
    if "idempotency-key" in request.headers:
        arguments["idempotency_key"] = request.headers["idempotency-key"]
    revision = parse_if_match_revision(request.headers.get("if-match", "*"))
    return arguments if revision is None else {**arguments, "expected_revision": revision}
