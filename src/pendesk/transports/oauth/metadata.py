"""The two documents that tell a client how to get in. Every address in them is the configured one: a Host header that
somebody made up must not send a client elsewhere.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.problems import json_response
from pendesk.transports.service import Service

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
GRANTS = ["authorization_code", "refresh_token", DEVICE_GRANT]


async def get_authorization_server_metadata(request: Request) -> Response:
    service: Service = request.app.state.service
    origin = service.installation.public_url
    metadata: dict[str, Any] = {
        "issuer": origin,
        "authorization_endpoint": f"{origin}/oauth/authorize",
        "token_endpoint": f"{origin}/oauth/token",
        "registration_endpoint": f"{origin}/oauth/register",
        "revocation_endpoint": f"{origin}/oauth/revoke",
        "device_authorization_endpoint": f"{origin}/oauth/device_authorization",
        "scopes_supported": service.settings.advertised_scopes.split(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANTS,
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
    }
    if service.settings.client_id_metadata_documents == "on":
        metadata["client_id_metadata_document_supported"] = True
    return json_response(metadata)


async def get_protected_resource_metadata(request: Request) -> Response:
    service: Service = request.app.state.service
    origin = service.installation.public_url
    return json_response(
        {
            "resource": f"{origin}/mcp",
            "authorization_servers": [origin],
            "scopes_supported": service.settings.advertised_scopes.split(),
            "bearer_methods_supported": ["header"],
            "resource_name": "Pendesk",
        }
    )
