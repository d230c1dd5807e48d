"""The ref code of one spec, document or note."""

from pendesk.domain.document import Document, Note
from pendesk.domain.project import Spec
from pendesk.domain.text_ref import TextKind, text_ref_code
from pendesk.operations.operation import Call
from pendesk.operations.projects.find import find_project

_KINDS = {Spec: TextKind.SPEC, Document: TextKind.DOCUMENT, Note: TextKind.NOTE}


def ref_code_of_text(call: Call, text: Spec | Document | Note) -> str | None:
    return text_ref_code(find_project(call, text.project_id).key, _KINDS[type(text)], text.ref_number)
