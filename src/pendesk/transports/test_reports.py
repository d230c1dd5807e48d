"""POST /api/v1/actions/{ref}/test-reports: the file of a test run, as the body itself, for CI and scripts.

    curl --data-binary @junit.xml -H "Authorization: Bearer ..." \\
      ".../api/v1/actions/PEN-12/test-reports?format=junit&sha=..."
"""

import re

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import BadField
from pendesk.transports.gate import Gate
from pendesk.transports.problems import json_response
from pendesk.transports.service import Service

# Test runners colour their output; the door takes no control characters.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


async def post_test_report(request: Request) -> Response:
    service: Service = request.app.state.service
    gate: Gate = request.app.state.gate
    actor = await gate.admit(dict(request.scope["headers"]), "rest")
    try:
        content = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadField("content", "is not UTF-8 text.") from None
    told = {name: value for name, value in request.query_params.items() if name != "action_pid"}
    arguments = {**told, "action_pid": request.path_params["ref"], "content": _CONTROL.sub("", content)}
    return json_response(await service.door.call(actor, "upload_test_report", arguments))
