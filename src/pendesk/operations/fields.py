"""Types of input fields that several operations share: their bounds and what they mean to a caller."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.priority import Level
from pendesk.domain.web_address import PLAIN_ADDRESS

Ident = Annotated[str, Meta(min_length=1, max_length=limits.ID_CHARS)]
Label = Annotated[str, Meta(min_length=1, max_length=limits.LABEL_CHARS, pattern=r"\A[^\r\n]*\S[^\r\n]*\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=limits.NAME_CHARS, pattern=r"\A[^\r\n]*\S[^\r\n]*\Z")]
Text = Annotated[str, Meta(max_length=limits.TEXT_CHARS)]
Message = Annotated[str, Meta(min_length=1, max_length=limits.MESSAGE_CHARS, pattern=r"\S")]
Line = Annotated[str, Meta(min_length=1, max_length=limits.LINE_CHARS, pattern=r"\S")]
Lines = Annotated[list[Line], Meta(max_length=limits.LIST_ITEMS)]
Url = Annotated[str, Meta(max_length=limits.URL_CHARS, pattern=rf"\A{PLAIN_ADDRESS}\Z")]
UrlOrNone = Annotated[str, Meta(max_length=limits.URL_CHARS, pattern=rf"\A(?:{PLAIN_ADDRESS})?\Z")]
IdentOrNone = Annotated[str, Meta(max_length=limits.ID_CHARS)]
Model = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=limits.MODEL_CHARS,
        pattern=r"\A[^\r\n]+\Z",
        description="Your model's name, shown to people.",
    ),
]
Revision = Annotated[int, Meta(ge=1, le=2**53)]
Position = Annotated[int, Meta(ge=0, le=1_000_000)]
Coordinate = Annotated[float, Meta(ge=-1e7, le=1e7, description="On the canvas.")]
Cursor = Annotated[str, Meta(min_length=1, max_length=200)]

ActionPid = Annotated[Ident, Meta(description="Pid or ref code.")]
# On almost every write: the instructions in transports/mcp/prompts.py explain these three once.
ClaimId = Annotated[Ident, Meta(description="Your claim.id.")]
BriefRev = Annotated[Ident, Meta(description="Your briefRev.")]
IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=limits.KEY_CHARS, description="For retries.")]

ProjectId = Annotated[Ident, Meta(description="Pid or key.")]
SpecId = Annotated[Ident, Meta(description="The spec's pid.")]
GoalId = Annotated[Ident, Meta(description="The goal's pid.")]
PlanId = Annotated[Ident, Meta(description="The plan's pid.")]
ActionId = Annotated[Ident, Meta(description="The action's pid or ref code, e.g. PEN-12.")]
# By name, or a number of which the higher is more urgent; the names are those of domain/priority.py.
Priority = Annotated[Level | Annotated[int, Meta(ge=0, le=1_000)], Meta(description="How urgent.")]
PathGlob = Annotated[str, Meta(min_length=1, max_length=250, pattern=r"\A[^\r\n]*\S[^\r\n]*\Z")]
PathGlobs = Annotated[
    list[PathGlob],
    Meta(max_length=limits.PATH_GLOBS, description="Globs of the files it is expected to touch."),
]
ExpectedRevision = Annotated[
    Revision,
    Meta(description="The revision you read."),
]
DocumentId = Annotated[Ident, Meta(description="Its pid.")]
CommentedId = Annotated[Ident, Meta(description="Pid or ref code.")]
NoteId = Annotated[Ident, Meta(description="Its pid.")]
StatusLine = Annotated[
    str,
    Meta(max_length=limits.LABEL_CHARS, pattern=r"\A[^\r\n]*\Z", description="How far it is."),
]
Title = Annotated[Label, Meta(description="One line.")]
Kinds = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=limits.KIND_CHARS)]],
    Meta(max_length=limits.LIST_ITEMS, description="Only events of these kinds: action.claimed, or action for all."),
]
WebhookId = Annotated[Ident, Meta(description="The webhook's id from list_webhooks.")]
# No user name, no fragment, no blank: what goes out reads addresses strictly (transports/fetch.py).
TargetUrl = Annotated[
    str,
    Meta(
        max_length=limits.URL_CHARS,
        pattern=r"\Ahttps?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-\"$-~]*)?\Z",
        description="An https address; on this machine or in its network only where the server allows it.",
    ),
]
Markdown = Annotated[Text, Meta(description="Markdown.")]
TaskId = Annotated[Ident, Meta(description="Pid or ref code.")]
CommentId = Annotated[Ident, Meta(description="Its pid.")]
RunId = Annotated[Ident, Meta(description="From start_agent_run.")]
