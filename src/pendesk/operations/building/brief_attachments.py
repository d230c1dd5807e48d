"""The links to a brief's attachments, so that reading them takes no further call."""

from pendesk.operations.attachments.signed_url import sign_attachment_url
from pendesk.operations.building.brief_results import SpecBrief
from pendesk.operations.building.claim_guard import may_see_spec
from pendesk.operations.operation import Call
from pendesk.store import attachments


def add_attachment_urls(call: Call, spec: SpecBrief) -> None:
    """As get_attachment_url gives them: to who sees the spec, which a holder need not, and of what was not removed."""
    if not may_see_spec(call, spec.pid):
        return
    present = {attachment.id for attachment in attachments.of_spec(call.tx, spec.pid)}
    for attachment in spec.attachments:
        if attachment.pid in present:
            attachment.url, attachment.expires_at = sign_attachment_url(call, attachment.pid)
