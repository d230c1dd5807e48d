"""Why the server refuses a repository's token, as the owner of the data folder sees it."""

from pendesk.cli.binding import record
from pendesk.cli.parts.console import Console
from pendesk.cli.parts.doctor_repo import RepoPatient
from pendesk.cli.parts.local import at_desk, running_server


def why_refused(patient: RepoPatient) -> str:
    """The server tells nobody; who runs it may look at the token that `connect` made."""
    running = running_server(patient.settings.data)
    token_id = record.read_local(patient.root).get("tokenId")
    if running is None or patient.binding is None or running["url"] != patient.binding.url or not token_id:
        return "revoked, expired or of another server"
    console = Console()
    console.data = str(patient.settings.data)
    told = at_desk(console, lambda local: local.call_all("list_tokens", "tokens", everyone=True))
    states = {each["tokenId"]: each for each in told["tokens"]}
    token = states.get(token_id, {"state": "active"})
    if token["state"] == "expired":
        return f"it expired on {token['expiresAt'][:10]}"
    if token["state"] == "revoked":
        return f"it was revoked on {token['revokedAt'][:10]}"
    return "it is not the one that `pendesk connect` made"
