"""Which actions at work touch the files of others: the paths are loaded here, and domain/overlap.py decides."""

from collections.abc import Collection, Mapping

from pendesk.domain.overlap import KnownPaths, Overlap, find_overlap
from pendesk.store import overlaps
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx
from pendesk.store.overlaps import ActionPaths

Overlaps = dict[str, dict[str, Overlap]]
AtWork = dict[str, list[ActionPaths]]
NO_PATHS = "[]"


def find_overlaps_with_work(tx: Tx, actions: Collection[ActionPaths], *, guesses: bool) -> Overlaps:
    """Action id -> id of what is at work in its project -> how they overlap. Likely paths are `guesses`."""
    at_work = _at_work(tx, {action.project_id for action in actions})
    is_alone = all(other.id == action.id for action in actions for other in at_work[action.project_id])
    return _compare(tx, actions, at_work, guesses=guesses) if not is_alone else {}


def find_overlaps_of_many(tx: Tx, project_id_by_action_id: Mapping[str, str]) -> Overlaps:
    """The same without guesses. Nothing is read of the actions where nothing is at work beside them."""
    at_work = _at_work(tx, set(project_id_by_action_id.values()))
    beside = [ident for ident, project_id in project_id_by_action_id.items() if at_work[project_id]]
    return _compare(tx, overlaps.by_ids(tx, beside), at_work, guesses=False) if beside else {}


def _at_work(tx: Tx, project_ids: Collection[str]) -> AtWork:
    return {project_id: overlaps.at_work(tx, project_id) for project_id in project_ids}


def _compare(tx: Tx, actions: Collection[ActionPaths], at_work: AtWork, *, guesses: bool) -> Overlaps:
    beside = {other.id: other for others in at_work.values() for other in others}
    known = _known_paths(tx, [*actions, *beside.values()], guesses=guesses)
    overlapped: Overlaps = {}
    for action in actions:
        for other in at_work[action.project_id]:
            overlap = find_overlap(known[action.id], known[other.id]) if other.id != action.id else None
            if overlap is not None:
                overlapped.setdefault(action.id, {})[other.id] = overlap
    return overlapped


def _known_paths(tx: Tx, actions: Collection[ActionPaths], *, guesses: bool) -> dict[str, KnownPaths]:
    changed = overlaps.changed_paths_by_action_id(tx, {action.id for action in actions})
    known = {
        action.id: KnownPaths(
            changed.get(action.id, frozenset()), tuple(from_json(action.paths)) if action.paths != NO_PATHS else ()
        )
        for action in actions
    }
    unknown = [action for action in actions if not known[action.id].is_known]
    if not guesses or len(unknown) == len(actions):
        return known
    siblings = overlaps.sibling_ids(tx, unknown)
    others = {sibling for group in siblings.values() for sibling in group} - known.keys()
    changed = {**changed, **(overlaps.changed_paths_by_action_id(tx, others) if others else {})}
    for action in unknown:
        ids = siblings.get((action.spec_id, action.area), [])
        likely = frozenset[str]().union(*(changed.get(sibling, frozenset()) for sibling in ids))
        known[action.id] = KnownPaths(likely=likely)
    return known
