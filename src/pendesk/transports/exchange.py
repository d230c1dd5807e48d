"""GET /api/v1/projects/{project_id}/export and POST /api/v1/projects/import: whole projects as files.

    curl -b cookies -o harbour.pendesk.jsonl .../api/v1/projects/HRB/export
    curl -b cookies -F file=@harbour.pendesk.jsonl -F dry_run=true .../api/v1/projects/import

An export is written to the disk first and sent from there: the database is not kept waiting for a slow reader.
"""

import asyncio
import os
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pendesk import clock
from pendesk.domain.access import Actor
from pendesk.domain.errors import BadField, Unavailable
from pendesk.domain.project import ReceivedFile
from pendesk.operations.exchange.export_project import ProjectExported
from pendesk.operations.exchange.import_flow import check_may_import, run_import
from pendesk.operations.exchange.source_files import read_uploaded_import_files
from pendesk.operations.exchange.staging import StagedImport, stage_import_from_export
from pendesk.operations.exchange.third_party import READERS, parse_third_party_files, stage_import_from_plan
from pendesk.transports.attachments import file_chunks
from pendesk.transports.problems import json_response
from pendesk.transports.rest.caller import authenticate_caller
from pendesk.transports.rest.multipart import receive_upload, set_body_limit_for_upload
from pendesk.transports.service import Service

_FLAGS = ("dry_run", "as_copy", "take_part", "specs")
_TEXTS = ("from", "name", "key")


async def get_export(request: Request) -> Response:
    service: Service = request.app.state.service
    actor = await authenticate_caller(request, service.dispatcher.operations["export_project"])
    exported = await service.dispatcher.call(actor, "export_project", {"project_id": request.path_params["project_id"]})
    assert isinstance(exported, ProjectExported)
    key = exported.receipt.partition(".")[0]
    handle = service.files.open_fd(key)
    # Nobody else finds it from here on, and its bytes stay until the handle is closed.
    service.files.remove(key)
    if handle is None:
        raise Unavailable("The export was written and is gone. Check the disk, and try again.")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(exported.file_name, safe='')}",
        "Content-Length": str(exported.size_bytes),
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(file_chunks(handle), headers=headers, media_type="application/jsonl")


async def post_import(request: Request) -> Response:
    service: Service = request.app.state.service
    actor = await authenticate_caller(request, service.dispatcher.operations["import_project"])
    check_may_import(actor)
    queried = request.query_params.multi_items()
    _parse_import_options(queried)  # what is wrong there is refused before the file is received
    limit = service.installation.limits.import_bytes
    set_body_limit_for_upload(request, limit)
    with service.files.start_upload(limit) as upload:
        sent = await receive_upload(request, upload.write)
        options = _parse_import_options([*queried, *sent.fields])
        received = await asyncio.to_thread(upload.save)
    try:
        stage = _create_import_staging_callback(service, actor, received, options)
        arguments = {name: options[name] for name in ("dry_run", "take_part", "name", "key") if name in options}
        imported = await run_import(service.dispatcher, actor, stage, **arguments)
    finally:
        service.files.remove(received.key)
    return json_response(imported, 200 if imported.dry_run else 201)


def _create_import_staging_callback(
    service: Service, actor: Actor, received_file: ReceivedFile, options: dict[str, Any]
) -> Callable[[], StagedImport]:
    def stage() -> StagedImport:
        handle = service.files.open_fd(received_file.key)
        assert handle is not None
        with os.fdopen(handle, "rb") as source:
            if "from" in options:
                uploaded = read_uploaded_import_files(source, options["from"])
                plan = parse_third_party_files(options["from"], uploaded, as_specs=options.get("specs", False))
                return stage_import_from_plan(service.files, plan, options["from"], actor, clock.now_us())
            return stage_import_from_export(
                service.files,
                source,
                as_copy=options.get("as_copy", False),
                keep_attachments=not options.get("dry_run", False),
                max_attachment_bytes=service.installation.limits.attachment_bytes,
            )

    return stage


def _parse_import_options(option_items: list[tuple[str, str]]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, value in option_items:
        if name in options:
            raise BadField(name, "is given twice; give it once.")
        if name in _FLAGS:
            if value not in ("true", "false"):
                raise BadField(name, "must be true or false.")
            options[name] = value == "true"
        elif name in _TEXTS:
            options[name] = value
        else:
            raise BadField(name[:40], f"is not known here; there are {', '.join((*_FLAGS, *_TEXTS))}.")
    if options.get("from", "backlog") not in READERS:
        raise BadField("from", f"must be one of: {', '.join(READERS)}. Leave it out for an export of Pendesk.")
    if "from" in options and "as_copy" in options:
        raise BadField("as_copy", "is for exports of Pendesk; what other programs' files bring has new ids anyway.")
    if "from" not in options and "specs" in options:
        raise BadField("specs", "is for other programs' files; an export of Pendesk has its specs in it.")
    return options
