"""GET /attachments/{workspace}/{id}: an attachment by its signed link, as a download."""

import asyncio
import os
from collections.abc import AsyncIterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pendesk.domain.errors import NotFound
from pendesk.domain.limits import FILE_CHUNK_BYTES
from pendesk.domain.project import Attachment
from pendesk.operations.attachments import find_signed_attachment
from pendesk.operations.attachments.signed_url import SignedLink
from pendesk.transports.service import Service

# Whatever the file holds, a browser must neither guess its type nor run it as a page of ours.
HEADERS = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
}


async def get_attachment(request: Request) -> Response:
    service: Service = request.app.state.service
    attachment = await _find_attachment(request, service)
    handle = service.files.open_fd(attachment.storage_key) if attachment else None
    if attachment is None or handle is None:
        # Forged, expired, removed or never there: one answer for all.
        raise NotFound("attachment")
    name = quote(attachment.name, safe="")
    headers = {
        **HEADERS,
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "Content-Length": str(os.fstat(handle).st_size),
    }
    return StreamingResponse(file_chunks(handle), headers=headers, media_type=attachment.media_type)


async def _find_attachment(request: Request, service: Service) -> Attachment | None:
    workspace_id, attachment_id = request.path_params["workspace"], request.path_params["id"]
    by, expires, signature = (request.query_params.get(name, "") for name in ("by", "expires", "signature"))
    link = SignedLink(workspace_id, attachment_id, by, expires, signature)
    return await service.dispatcher.call_by_secret(find_signed_attachment.OPERATION, link)


async def file_chunks(file_descriptor: int) -> AsyncIterator[bytes]:
    with os.fdopen(file_descriptor, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, FILE_CHUNK_BYTES):
            yield chunk
