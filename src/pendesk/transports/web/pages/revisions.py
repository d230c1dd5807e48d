"""The history of a text: every revision, what changed in it word by word, and a way back to it."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View


class HistorySubject(NamedTuple):
    """What the history is of. `about` is where it is shown."""

    pid: str
    title: str
    about: str
    project: Any
    revision: int


FindSubject = Callable[[View], Awaitable[HistorySubject]]


async def _load_spec_history_subject(view: View) -> HistorySubject:
    spec = await view.call("get_spec_draft", spec_id=view.path_param("spec"))
    return HistorySubject(spec.pid, spec.title, f"/specs/{spec.ref_code or spec.pid}", spec.project, spec.revision)


async def _load_plan_history_subject(view: View) -> HistorySubject:
    """A plan is shown in its spec; the address names both."""
    spec = await view.call("get_spec_draft", spec_id=view.path_param("spec"), plan_id=view.path_param("plan"))
    plan = next(plan for plan in spec.plans if plan.pid == spec.shown_plan_id)
    about = f"/specs/{spec.ref_code or spec.pid}?plan={plan.pid}"
    return HistorySubject(plan.pid, f"{plan.title} of {spec.title}", about, spec.project, plan.revision)


async def _load_document_history_subject(view: View) -> HistorySubject:
    document = await view.call("get_document", document_id=view.path_param("document"))
    project = await view.call("get_project", project_id=document.project_id)
    return HistorySubject(
        document.pid, document.title, f"/documents/{document.ref_code or document.pid}", project, document.revision
    )


async def _load_note_history_subject(view: View) -> HistorySubject:
    note = await view.call("get_note", note_id=view.path_param("note"))
    project = await view.call("get_project", project_id=note.project_id)
    return HistorySubject(note.pid, note.title, f"/notes/{note.ref_code or note.pid}", project, note.revision)


def _create_revision_history_loader(find_subject: FindSubject) -> Callable[[View], Awaitable[dict[str, Any]]]:
    async def load(view: View) -> dict[str, Any]:
        subject = await find_subject(view)
        page = await view.call(
            "list_revisions", object_id=subject.pid, cursor=_positive_int_query_param(view, "cursor")
        )
        since, number = _positive_int_query_param(view, "since"), _positive_int_query_param(view, "revision")
        if since is not None:
            since, number = sorted((since, number or subject.revision))
        diff = await view.call("compare_revisions", object_id=subject.pid, to_revision=number, from_revision=since)
        restored = await _compare_with_restored(view, subject, diff.after.revision)
        data = {"subject": subject, "revisions": page.revisions, "next_cursor": page.next_cursor}
        return {**data, "diff": diff, "restored": restored, "names": FIELD_NAMES}

    return load


async def _compare_with_restored(view: View, subject: HistorySubject, revision: int) -> Any:
    """What restoring it would change of the text as it is now; None where there is nothing to restore."""
    if revision == subject.revision or not view.has_role("member"):
        return None
    return await view.call("compare_revisions", object_id=subject.pid, restored_revision=revision)


def _positive_int_query_param(view: View, name: str) -> int | None:
    digits = view.query_param(name) or ""
    return int(digits) if digits.isdecimal() and len(digits) < 10 and int(digits) else None


PAGES = [
    Page("/specs/{spec}/revisions", "revisions.html", _create_revision_history_loader(_load_spec_history_subject)),
    Page(
        "/specs/{spec}/plans/{plan}/revisions",
        "revisions.html",
        _create_revision_history_loader(_load_plan_history_subject),
    ),
    Page(
        "/documents/{document}/revisions",
        "revisions.html",
        _create_revision_history_loader(_load_document_history_subject),
    ),
    Page("/notes/{note}/revisions", "revisions.html", _create_revision_history_loader(_load_note_history_subject)),
]
