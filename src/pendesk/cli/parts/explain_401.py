"""Why the server refuses a repository's token, as the owner of the data folder sees it."""

from pendesk.cli.binding import record
from pendesk.cli.parts.console import Console
from pendesk.cli.parts.doctor_repo import RepoDoctorRun
from pendesk.cli.parts.local import read_running_server_info, run_locally


def explain_401(run: RepoDoctorRun) -> str:
    """The server does not say; whoever runs it may look at the token that `connect` created."""
    running = read_running_server_info(run.settings.data)
    token_id = record.read_local_connection_record(run.root).get("tokenId")
    if running is None or run.binding is None or running["url"] != run.binding.url or not token_id:
        return "it is revoked, expired, or from another server"
    console = Console()
    console.data = str(run.settings.data)
    result = run_locally(console, lambda local: local.call_all_pages("list_tokens", "tokens", everyone=True))
    tokens = {token["tokenId"]: token for token in result["tokens"]}
    token = tokens.get(token_id, {"state": "active"})
    if token["state"] == "expired":
        return f"it expired on {token['expiresAt'][:10]}"
    if token["state"] == "revoked":
        return f"it was revoked on {token['revokedAt'][:10]}"
    return "it is not the one that `pendesk connect` created"
