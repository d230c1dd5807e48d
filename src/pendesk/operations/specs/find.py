"""Specs by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.project import Spec
from pendesk.domain.text_ref import TextKind
from pendesk.operations.operation import Call
from pendesk.store import specs, text_refs


def find_spec(call: Call, spec_id: str) -> Spec:
    """By pid or ref."""
    pid = text_refs.resolve_id(call.tx, spec_id, TextKind.SPEC)
    spec = specs.by_id(call.tx, pid) if pid else None
    if spec is None:
        raise NotFound("spec", spec_id)
    return spec


def find_and_lock_spec(call: Call, spec_id: str) -> Spec:
    pid = text_refs.resolve_id(call.tx, spec_id, TextKind.SPEC)
    if pid is not None:
        specs.lock(call.tx, pid)
    return find_spec(call, spec_id)
