"""Work on the same files, as answers say it."""

from collections.abc import Mapping

from pendesk.domain.limits import OVERLAP_PATHS_SHOWN, OVERLAPS_NAMED
from pendesk.domain.overlap import Overlap, surest
from pendesk.operations.availability import RelatedAction, holder_of, is_visible
from pendesk.operations.operation import Call, Output
from pendesk.store import overlaps


class OverlapResult(Output, kw_only=True):
    """Another's work on the same files. paths: the first of count. Without a refCode your tools do not show it."""

    ref_code: str | None = None
    agent: str | None = None
    basis: str
    paths: list[str]
    count: int


def overlaps_of_cards(call: Call, action_ids: list[str]) -> dict[str, list[OverlapResult]]:
    """By action id: those that are at work, with what is at work beside it."""
    return {
        ident: [
            OverlapResult(
                ref_code=row.other_ref,
                basis=row.overlap.basis,
                paths=list(row.overlap.paths[:OVERLAP_PATHS_SHOWN]),
                count=row.overlap.file_count,
            )
            for row in rows[:OVERLAPS_NAMED]
        ]
        for ident, rows in overlaps.of_cards(call.tx, action_ids).items()
    }


def overlap_results(
    call: Call, shared: Mapping[str, Overlap], related: Mapping[str, RelatedAction]
) -> list[OverlapResult]:
    """Both by the id of what is at work; the surest first."""
    return [
        OverlapResult(
            ref_code=related[ident].standing.ref if is_visible(call, related[ident]) else None,
            agent=holder_of(related[ident]).agent if is_visible(call, related[ident]) else None,
            basis=overlap.basis,
            paths=list(overlap.paths[:OVERLAP_PATHS_SHOWN]),
            count=overlap.file_count,
        )
        for ident, overlap in surest(shared, OVERLAPS_NAMED).items()
    ]
