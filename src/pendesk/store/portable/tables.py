"""What of the database an export carries, as data: the tables of a project, their columns, what each may hold.

Everything that exports, checks or imports rows is made from TABLES (`rows.py`); `not_exported.py` has the rest.
tests/store/portable/test_rows.py holds both against the real schema: a column is exported or listed, or the test fails.
"""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.checks import CheckState
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.edge import EdgeLabel
from pendesk.domain.project import ProjectState
from pendesk.domain.review import CriterionVerdict, Disposition, Verdict

PEOPLE = "people"

_UUID = r"\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z"


class Column(NamedTuple):
    """`type` is what msgspec checks; null is read where a default is given, and never written.

    refers: the table whose row it names. shape: what the JSON of a column of JSON must look like at least.
    read: the SQL of a value that is not exported as it stands. is_address: an import leaves it out unless it is plain.
    """

    type: Any
    references: str = ""
    shape: Any = None
    read_sql: str = ""
    nullable: bool = False
    is_address: bool = False


class Table(NamedTuple):
    """`row_kind` begins its lines in the file. `filled_in` are columns that an import sets by itself."""

    name: str
    row_kind: str
    where_sql: str
    keys: tuple[str, ...]
    columns: dict[str, Column]
    unique: tuple[tuple[str, ...], ...] = ()
    filled_in: tuple[str, ...] = ()


def _text_column(max_chars: int) -> Column:
    return Column(Annotated[str, Meta(max_length=max_chars)])


def _choice_column(*values: str) -> Column:
    return Column(Literal[values])


def _reference_column(table: str) -> Column:
    return Column(Annotated[str, Meta(pattern=_UUID)], table)


def _json_column(decoded_type: Any) -> Column:
    return Column(msgspec.Raw, shape=decoded_type)


def _nullable_column(column: Column) -> Column:
    return column._replace(nullable=True)


# The most that PostgreSQL takes in one text; what people write is far below.
_ANY = _text_column(limits.IMPORT_TEXT_CHARS)
ID = Column(Annotated[str, Meta(pattern=_UUID)])
_PERSON = _reference_column(PEOPLE)
_COUNT = Column(Annotated[int, Meta(ge=0, le=2**53)])
_REF_NUMBER = Column(Annotated[int, Meta(ge=1, le=999_999_999)])
_FLAG = Column(Annotated[int, Meta(ge=0, le=1)])
_TIME = _COUNT
_LINE = Column(Annotated[str, Meta(min_length=1, max_length=limits.LABEL_CHARS, pattern=r"\A[^\r\n]*\S[^\r\n]*\Z")])
_LONG = _text_column(limits.TEXT_CHARS)
_MESSAGE = _text_column(limits.MESSAGE_CHARS)
_URL = Column(Annotated[str, Meta(max_length=limits.URL_CHARS, pattern=r"\Ahttps?://[^\s/]\S*\Z")], is_address=True)
_ANY_URL = _text_column(limits.URL_CHARS)._replace(is_address=True)
_DAY = Column(Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")])
_SHA = _text_column(64)
_MODEL = _text_column(limits.MODEL_CHARS)
_COORDINATE = Column(Annotated[float, Meta(ge=-1e7, le=1e7)])
_LINES = _json_column(Annotated[list[str], Meta(max_length=limits.LIST_ITEMS)])
_OBJECT = _json_column(dict[str, Any])


class _Frozen(msgspec.Struct):
    """The part of a build's texts that readers take for granted."""

    title: str


class _FrozenAttachment(msgspec.Struct):
    id: str
    name: str
    mediaType: str
    sizeBytes: int


class _FrozenSpec(_Frozen):
    id: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[_FrozenAttachment]


class _FrozenPlan(_Frozen):
    approach: str


class _FrozenBuild(msgspec.Struct):
    spec: _FrozenSpec
    plan: _FrozenPlan


class _FrozenCriterion(msgspec.Struct):
    id: str
    text: str


class _FrozenAction(msgspec.Struct):
    label: str
    description: str
    area: str
    paths: list[str]
    criteria: list[_FrozenCriterion]


OF_PROJECT = "project_id = :project_id"
_SPECS = "SELECT id FROM specs WHERE workspace_id = :workspace AND project_id = :project_id"
_ACTIONS = "SELECT id FROM actions WHERE workspace_id = :workspace AND project_id = :project_id"
_OF_SPEC = f"spec_id IN ({_SPECS})"
_OF_ACTION = f"action_id IN ({_ACTIONS})"
_OF_BUILD = f"build_id IN (SELECT id FROM builds WHERE workspace_id = :workspace AND {_OF_SPEC})"
_OF_COMMIT = "commit_id IN (SELECT id FROM commits WHERE workspace_id = :workspace AND project_id = :project_id)"
_OF_SUBMISSION = f"submission_id IN (SELECT id FROM submissions WHERE workspace_id = :workspace AND {_OF_ACTION})"
_OF_REVIEW = f"review_id IN (SELECT id FROM reviews WHERE workspace_id = :workspace AND {_OF_ACTION})"
_OBJECTS = " UNION ALL ".join(
    [
        f"SELECT id FROM {table} WHERE workspace_id = :workspace AND {where}"
        for table, where in (
            ("projects", "id = :project_id"),
            ("goals", OF_PROJECT),
            ("specs", OF_PROJECT),
            ("plans", _OF_SPEC),
            ("actions", OF_PROJECT),
            ("documents", OF_PROJECT),
            ("notes", OF_PROJECT),
        )
    ]
)
_ASSIGNED_PERSON = (
    "coalesce(assignee_user_id, (SELECT g.user_id FROM agents g "
    "WHERE g.workspace_id = actions.workspace_id AND g.id = actions.assignee_agent_id))"
)
_MADE = {"created_by": _PERSON, "created_at": _TIME}
_REVISED = {"revision": _COUNT, **_MADE, "updated_at": _TIME}

# In the order that foreign keys ask for.
TABLES = [
    Table(
        "projects",
        "project",
        "id = :project_id",
        ("id",),
        {
            "id": ID,
            "key": Column(Annotated[str, Meta(pattern=r"\A[A-Z][A-Z0-9]{1,9}\Z")]),
            "name": Column(
                Annotated[str, Meta(min_length=1, max_length=limits.NAME_CHARS, pattern=r"\A[^\r\n]*\S[^\r\n]*\Z")]
            ),
            "description": _LONG,
            "state": Column(ProjectState),
            "repository_url": _nullable_column(_URL),
            "last_ref": _COUNT,
            **_REVISED,
            "require_evidence": _nullable_column(_FLAG),
            "keeps_activity": _nullable_column(_FLAG),
            "refuse_overlap": _nullable_column(_FLAG),
        },
    ),
    Table(
        "goals",
        "goal",
        OF_PROJECT,
        ("id",),
        {"id": ID, "title": _LINE, "description": _LONG, "position": _COUNT, **_REVISED},
    ),
    Table(
        "specs",
        "spec",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "goal_id": _nullable_column(_reference_column("goals")),
            "title": _LINE,
            "summary": _LONG,
            "results": _LINES,
            "conditions": _LINES,
            "boundaries": _LINES,
            "active_plan_id": _nullable_column(_reference_column("plans")),
            "build_id": _nullable_column(_reference_column("builds")),
            "build_number": _COUNT,
            **_REVISED,
            "ref_number": _nullable_column(_REF_NUMBER),
        },
        unique=(("ref_number",),),
    ),
    Table(
        "participants",
        "participant",
        _OF_SPEC,
        ("spec_id", "user_id"),
        {"spec_id": _reference_column("specs"), "user_id": _PERSON, "added_by": _PERSON, "added_at": _TIME},
    ),
    Table(
        "plans",
        "plan",
        _OF_SPEC,
        ("id",),
        {"id": ID, "spec_id": _reference_column("specs"), "title": _LINE, "approach": _LONG, **_REVISED},
    ),
    Table(
        "actions",
        "action",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "spec_id": _nullable_column(_reference_column("specs")),
            "plan_id": _nullable_column(_reference_column("plans")),
            "ref_number": _REF_NUMBER,
            "label": _LINE,
            "description": _LONG,
            "area": _text_column(limits.AREA_CHARS),
            "paths": _json_column(Annotated[list[str], Meta(max_length=limits.PATH_GLOBS)]),
            # in_progress is the state of a claim that lives, and none does in an export.
            "state": _choice_column(
                "backlog", "scope", "todo", "in_review", "changes_requested", "done", "wont_do"
            )._replace(read_sql="CASE WHEN state = 'in_progress' THEN 'todo' ELSE state END"),
            "state_reason": _nullable_column(_MESSAGE),
            "priority": _COUNT,
            "position": _COUNT,
            "x": _nullable_column(_COORDINATE),
            "y": _nullable_column(_COORDINATE),
            "fence": _COUNT,
            "claim_id": _nullable_column(_reference_column("claims")),
            **_REVISED,
            "drop_accepted_at": _nullable_column(_TIME),
            "drop_accepted_by": _nullable_column(_PERSON),
            # Agents are this installation's own: what one was to do goes to its user.
            "assignee_user_id": _nullable_column(_PERSON)._replace(read_sql=_ASSIGNED_PERSON),
            "due_on": _nullable_column(_DAY),
            "labels": _nullable_column(_json_column(Annotated[list[str], Meta(max_length=limits.ACTION_LABELS)])),
        },
        unique=(("ref_number",),),
        filled_in=("news_event_id", "assignee_agent_id"),
    ),
    Table(
        "criteria",
        "criterion",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "position": _COUNT,
            "text": _text_column(limits.LINE_CHARS),
            "status": Column(CriterionStatus),
            "revision": _COUNT,
            "removed_at": _nullable_column(_TIME),
        },
    ),
    Table(
        "edges",
        "edge",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "from_action_id": _reference_column("actions"),
            "to_action_id": _reference_column("actions"),
            "label": Column(EdgeLabel),
            "style": _nullable_column(_text_column(limits.LABEL_CHARS)),
            **_MADE,
        },
        unique=(("from_action_id", "to_action_id", "label"),),
        filled_in=("before_id", "after_id"),
    ),
    Table(
        "builds",
        "build",
        _OF_SPEC,
        ("id",),
        {
            "id": ID,
            "spec_id": _reference_column("specs"),
            "plan_id": _reference_column("plans"),
            "number": _COUNT,
            "snapshot": _json_column(_FrozenBuild),
            "published_by": _PERSON,
            "published_at": _TIME,
        },
        unique=(("spec_id", "number"),),
    ),
    Table(
        "build_actions",
        "buildAction",
        _OF_BUILD,
        ("build_id", "action_id"),
        {
            "build_id": _reference_column("builds"),
            "action_id": _reference_column("actions"),
            "position": _COUNT,
            "snapshot": _json_column(_FrozenAction),
            "brief_rev": _text_column(64),
        },
    ),
    Table(
        "claims",
        "claim",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "user_id": _PERSON,
            "agent_model": _nullable_column(_MODEL),
            "fence": _COUNT,
            "build_id": _nullable_column(_reference_column("builds")),
            "state": _choice_column("submitted", "released", "lost", "dropped", "done")._replace(
                read_sql="CASE WHEN state = 'active' THEN 'released' ELSE state END"
            ),
            "taken_at": _TIME,
            "renewed_at": _TIME,
            "expires_at": _TIME,
            "ended_at": _nullable_column(_TIME)._replace(
                read_sql="CASE WHEN state = 'active' THEN renewed_at ELSE ended_at END"
            ),
            "seen_build_id": _nullable_column(_reference_column("builds")),
            "seen_revision": _nullable_column(_COUNT),
            "seen_rev": _nullable_column(_text_column(64)),
            "last_message": _nullable_column(_MESSAGE),
            "last_message_at": _nullable_column(_TIME),
        },
        unique=(("action_id", "fence"),),
        filled_in=(
            "token_id",
            "told_event_id",
            "session_id",
            "thread_id",
            "tool_use_id",
            "kind",
            "last_call_at",
            "stop_asked_at",
        ),
    ),
    Table(
        "clarifications",
        "clarification",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "question": _ANY,
            "asked_by": _PERSON,
            "asked_at": _TIME,
            "answer": _nullable_column(_ANY),
            "answered_by": _nullable_column(_PERSON),
            "answered_at": _nullable_column(_TIME),
            "answered_door": _nullable_column(_text_column(20)),
            "relayed": _FLAG,
            "written_back_revision": _nullable_column(_COUNT),
        },
    ),
    Table(
        "commits",
        "commit",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "sha": _SHA,
            "message": _ANY,
            "files_changed": _nullable_column(_COUNT),
            "branch": _nullable_column(_text_column(limits.BRANCH_CHARS)),
            "source": _choice_column("agent", "webhook"),
            "reported_by": _nullable_column(_PERSON),
            "reported_at": _TIME,
        },
        unique=(("sha",),),
    ),
    Table(
        "commit_actions",
        "commitAction",
        _OF_ACTION,
        ("action_id", "commit_id"),
        {
            "action_id": _reference_column("actions"),
            "commit_id": _reference_column("commits"),
            "linked_at": _TIME,
            "linked_by": _choice_column("agent", "webhook"),
            "claim_id": _nullable_column(_reference_column("claims")),
        },
    ),
    Table(
        "commit_criteria",
        "commitCriterion",
        _OF_COMMIT,
        ("criterion_id", "commit_id"),
        {"criterion_id": _reference_column("criteria"), "commit_id": _reference_column("commits")},
    ),
    Table(
        "test_results",
        "testResult",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "criterion_id": _reference_column("criteria"),
            "outcome": _choice_column("passed", "failed"),
            "evidence": _ANY,
            "sha": _nullable_column(_SHA),
            "reported_by": _PERSON,
            "reported_at": _TIME,
            "claim_id": _nullable_column(_reference_column("claims")),
        },
    ),
    Table(
        "checks",
        "check",
        OF_PROJECT,
        ("sha", "name"),
        {
            "sha": _SHA,
            "name": _text_column(limits.CHECK_NAME_CHARS),
            "state": Column(CheckState),
            "url": _nullable_column(_ANY_URL),
            "updated_at": _TIME,
            "conclusion": _nullable_column(_text_column(limits.LABEL_CHARS)),
        },
    ),
    Table(
        "pull_requests",
        "pullRequest",
        OF_PROJECT,
        ("number",),
        {
            "number": _COUNT,
            "url": _ANY_URL,
            "title": _ANY,
            "state": _choice_column("open", "closed", "merged"),
            "branch": _text_column(limits.BRANCH_CHARS),
            "head_sha": _SHA,
            "merged_at": _nullable_column(_TIME),
            "updated_at": _TIME,
            "base_branch": _nullable_column(_text_column(limits.BRANCH_CHARS)),
            "is_draft": _nullable_column(_FLAG),
        },
        filled_in=("merge_state", "ahead", "behind", "heard_at"),
    ),
    Table(
        "evidence",
        "evidence",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "criterion_id": _reference_column("criteria"),
            "criterion_revision": _COUNT,
            "level": Column(EvidenceLevel),
            "sha": _nullable_column(_SHA),
            "text": _ANY,
            "source_id": _text_column(limits.ID_CHARS * 4),
            "given_by": _nullable_column(_PERSON),
            "given_at": _TIME,
            "stale_reason": _nullable_column(_ANY),
            "stale_at": _nullable_column(_TIME),
        },
    ),
    Table(
        "submissions",
        "submission",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "claim_id": _reference_column("claims"),
            "build_id": _nullable_column(_reference_column("builds")),
            "number": _COUNT,
            "pr_url": _nullable_column(_URL),
            "summary": _ANY,
            "head_sha": _nullable_column(_SHA),
            "submitted_by": _PERSON,
            "submitted_at": _TIME,
            "branch": _nullable_column(_text_column(limits.BRANCH_CHARS)),
        },
        unique=(("action_id", "number"),),
    ),
    Table(
        "unmet_criteria",
        "unmetCriterion",
        _OF_SUBMISSION,
        ("submission_id", "criterion_id"),
        {
            "submission_id": _reference_column("submissions"),
            "criterion_id": _reference_column("criteria"),
            "reason": _ANY,
        },
    ),
    Table(
        "reviews",
        "review",
        _OF_ACTION,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "submission_id": _reference_column("submissions"),
            "verdict": Column(Verdict),
            "summary": _ANY,
            "head_sha": _nullable_column(_SHA),
            "reviewed_by": _PERSON,
            "reviewed_at": _TIME,
        },
        unique=(("submission_id",),),
    ),
    Table(
        "review_verdicts",
        "verdict",
        _OF_REVIEW,
        ("review_id", "criterion_id"),
        {
            "review_id": _reference_column("reviews"),
            "criterion_id": _reference_column("criteria"),
            "verdict": Column(CriterionVerdict),
            "note": _ANY,
        },
    ),
    Table(
        "review_items",
        "reviewItem",
        _OF_REVIEW,
        ("id",),
        {
            "id": ID,
            "action_id": _reference_column("actions"),
            "review_id": _reference_column("reviews"),
            "criterion_id": _nullable_column(_reference_column("criteria")),
            "text": _ANY,
            "disposition": _nullable_column(Column(Disposition)),
            "disposition_note": _nullable_column(_ANY),
            "kind": _nullable_column(_choice_column("request", "remark")),
            "path": _nullable_column(_ANY),
            "side": _nullable_column(_choice_column("old", "new")),
            "line": _nullable_column(_COUNT),
            "end_line": _nullable_column(_COUNT),
            "quote": _nullable_column(_ANY),
        },
        filled_in=("deviation_id",),
    ),
    Table(
        "documents",
        "document",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "parent_id": _nullable_column(_reference_column("documents")),
            "linked_action_id": _nullable_column(_reference_column("actions")),
            "title": _LINE,
            "body": _LONG,
            "status_line": _text_column(limits.LABEL_CHARS),
            **_REVISED,
            "ref_number": _nullable_column(_REF_NUMBER),
        },
        unique=(("ref_number",),),
    ),
    Table(
        "notes",
        "note",
        OF_PROJECT,
        ("id",),
        {"id": ID, "title": _LINE, "body": _LONG, **_REVISED, "ref_number": _nullable_column(_REF_NUMBER)},
        unique=(("ref_number",),),
    ),
    Table(
        "comments",
        "comment",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "document_id": _nullable_column(_reference_column("documents")),
            "action_id": _nullable_column(_reference_column("actions")),
            "spec_id": _nullable_column(_reference_column("specs")),
            "body": _ANY,
            "passage": _nullable_column(_text_column(limits.PASSAGE_CHARS)),
            "passage_start": _nullable_column(_COUNT),
            "passage_lost": _FLAG,
            "author_id": _PERSON,
            "created_at": _TIME,
            "edited_at": _nullable_column(_TIME),
            "resolved_by": _nullable_column(_PERSON),
            "resolved_at": _nullable_column(_TIME),
            "deleted_by": _nullable_column(_PERSON),
            "deleted_at": _nullable_column(_TIME),
        },
        filled_in=("session_id",),
    ),
    Table(
        "agent_runs",
        "run",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "action_id": _nullable_column(_reference_column("actions")),
            "user_id": _PERSON,
            "label": _text_column(limits.LABEL_CHARS),
            "model": _nullable_column(_MODEL),
            "status": _choice_column("running", "completed", "failed"),
            "tokens": _nullable_column(_COUNT),
            "cost_micros": _nullable_column(_COUNT),
            "result": _nullable_column(_ANY),
            "started_at": _TIME,
            "last_at": _TIME,
            "ended_at": _nullable_column(_TIME),
        },
    ),
    Table(
        "shares",
        "share",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            # Its action may be deleted; what was shared of it is revoked then, and stays.
            "action_id": _nullable_column(ID),
            **_MADE,
            "expires_at": _nullable_column(_TIME),
            "takes_items": _FLAG,
            "with_documents": _FLAG,
            "server_url": _nullable_column(_URL),
        },
        filled_in=("hash", "revoked_at", "owner_id"),
    ),
    Table(
        "inbox_items",
        "inboxItem",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "share_id": _reference_column("shares"),
            "guest_name": _text_column(limits.NAME_CHARS),
            "body": _ANY,
            "status": _choice_column("pending", "accepted", "rejected"),
            "created_at": _TIME,
            "triaged_by": _nullable_column(_PERSON),
            "triaged_at": _nullable_column(_TIME),
            "action_id": _nullable_column(_reference_column("actions")),
            "title": _text_column(limits.LABEL_CHARS),
            "source_id": _nullable_column(_text_column(limits.ID_CHARS)),
        },
        unique=(("share_id", "source_id"),),
    ),
    Table(
        "revisions",
        "revision",
        f"object_id IN ({_OBJECTS})",
        ("object_id", "revision"),
        {
            "object_id": ID,
            "revision": _COUNT,
            "content": _OBJECT,
            "author_id": _PERSON,
            "written_at": _TIME,
        },
    ),
    # Last, because each is followed by its bytes.
    Table(
        "attachments",
        "attachment",
        OF_PROJECT,
        ("id",),
        {
            "id": ID,
            "spec_id": _nullable_column(_reference_column("specs")),
            "document_id": _nullable_column(_reference_column("documents")),
            "criterion_id": _nullable_column(_reference_column("criteria")),
            "name": Column(
                Annotated[
                    str,
                    Meta(min_length=1, max_length=limits.LABEL_CHARS, pattern=r"\A[^/\\\r\n]*[^/\\\s.][^/\\\r\n]*\Z"),
                ]
            ),
            "media_type": Column(
                Annotated[str, Meta(max_length=100, pattern=r"\A[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*\Z")]
            ),
            "size_bytes": _COUNT,
            "sha256": Column(Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]),
            "added_by": _PERSON,
            "added_at": _TIME,
            "removed_at": _nullable_column(_TIME),
        },
        filled_in=("storage_key",),
    ),
]

# The history: first what came with an import, then the log's own events of the project.
EVENT_COLUMNS = {
    "at": _TIME,
    "kind": _text_column(60),
    "actor_id": _nullable_column(_PERSON),
    "agent_model": _nullable_column(_MODEL),
    "door": _text_column(20),
    "object_id": _text_column(limits.ID_CHARS),
    "spec_id": _nullable_column(ID),
    "action_id": _nullable_column(ID),
    "data": _OBJECT,
}
HISTORY = Table("imported_events", "event", OF_PROJECT, ("number",), EVENT_COLUMNS, filled_in=("number",))
# How a project came here is of the log it came to, and not carried on.
_NOT_CARRIED = "kind NOT IN ('project.imported', 'state.recorded')"
LOG = Table("events", "event", f"{OF_PROJECT} AND {_NOT_CARRIED}", ("seq",), EVENT_COLUMNS)

BY_WORD = {table.row_kind: table for table in [*TABLES, HISTORY]}
BY_NAME = {table.name: table for table in [*TABLES, HISTORY]}
