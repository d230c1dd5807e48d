"""Queries on submissions and reviews."""

from collections.abc import Sequence

from pendesk.domain.review import (
    CriterionVerdict,
    Disposition,
    RequestedChange,
    Review,
    ReviewItem,
    Submission,
    UnmetCriterion,
)
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql
from pendesk.store.participants import takes_part

INSERT_SUBMISSION = insert_sql("submissions", Submission)

INSERT_UNMET = insert_sql("unmet_criteria", UnmetCriterion)

UNMET_OF_SUBMISSION = """
SELECT criterion_id, reason FROM unmet_criteria WHERE workspace_id = :workspace AND submission_id = :submission_id
ORDER BY criterion_id
"""

UNMET_OF_NEWEST_SUBMISSION = """
SELECT criterion_id, reason FROM unmet_criteria WHERE workspace_id = :workspace AND submission_id = (
  SELECT id FROM submissions WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY number DESC LIMIT 1)
"""

NEWEST_SUBMISSION = f"""
SELECT {columns_sql(Submission)} FROM submissions
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY number DESC LIMIT 1
"""

OF_PREREQUISITES = f"""
SELECT DISTINCT a.ref_number, {columns_sql(Submission, "s")} FROM edges e
CROSS JOIN actions a CROSS JOIN submissions s
WHERE e.workspace_id = :workspace AND e.after_id = :action_id
  AND a.workspace_id = e.workspace_id AND a.id = e.before_id AND a.state = 'done'
  AND (:user_id = '' OR a.spec_id IS NULL OR {takes_part("a.spec_id")})
  AND s.workspace_id = a.workspace_id AND s.action_id = a.id AND s.number = (
    SELECT max(n.number) FROM submissions n WHERE n.workspace_id = a.workspace_id AND n.action_id = a.id)
ORDER BY a.ref_number
"""

INSERT_REVIEW = insert_sql("reviews", Review)

# By the number of what it judges: ids sort by the clocks of the servers that made them, and those differ.
NEWEST_REVIEW = f"""
SELECT {columns_sql(Review, "r")} FROM submissions s
JOIN reviews r ON r.workspace_id = s.workspace_id AND r.submission_id = s.id
WHERE s.workspace_id = :workspace AND s.action_id = :action_id ORDER BY s.number DESC LIMIT 1
"""

# Of each action the newest review: who requested what, the first of it.
REQUESTED = """
SELECT r.action_id, u.name, coalesce((
    SELECT i.text FROM review_items i WHERE i.workspace_id = r.workspace_id AND i.action_id = r.action_id
    AND i.review_id = r.id AND i.kind IS NULL ORDER BY i.id LIMIT 1), r.summary)
FROM reviews r JOIN users u ON u.id = r.reviewed_by
WHERE r.workspace_id = :workspace AND r.action_id IN (EACH :ids) AND r.id = (
  SELECT max(o.id) FROM reviews o WHERE o.workspace_id = r.workspace_id AND o.action_id = r.action_id)
"""

OF_SUBMISSION = f"""
SELECT {columns_sql(Review)} FROM reviews WHERE workspace_id = :workspace AND submission_id = :submission_id
"""

INSERT_VERDICT = """
INSERT INTO review_verdicts (workspace_id, review_id, criterion_id, verdict, note)
VALUES (:workspace, :review_id, :criterion_id, :verdict, :note)
"""

INSERT_ITEM = insert_sql("review_items", ReviewItem)

ITEMS_OF_REVIEW = f"""
SELECT {columns_sql(ReviewItem)} FROM review_items
WHERE workspace_id = :workspace AND review_id = :review_id ORDER BY id
"""

SUBMISSIONS_OF_ACTION = f"""
SELECT {columns_sql(Submission)} FROM submissions
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY number DESC LIMIT :limit
"""

REVIEWS_OF_ACTION = f"""
SELECT {columns_sql(Review, "r")} FROM submissions s
JOIN reviews r ON r.workspace_id = s.workspace_id AND r.submission_id = s.id
WHERE s.workspace_id = :workspace AND s.action_id = :action_id ORDER BY s.number DESC LIMIT :limit
"""

VERDICTS_OF_REVIEW = """
SELECT criterion_id, verdict, note FROM review_verdicts WHERE workspace_id = :workspace AND review_id = :review_id
ORDER BY criterion_id
"""

DISPOSE = """
UPDATE review_items SET disposition = :disposition, disposition_note = :note
WHERE workspace_id = :workspace AND id = :id
"""


def add_submission(tx: Tx, submission: Submission, unmet: Sequence[UnmetCriterion] = ()) -> None:
    tx.run(INSERT_SUBMISSION, **submission._asdict())
    for criterion in unmet:
        tx.run(INSERT_UNMET, **criterion._asdict())


def unmet_reason_by_criterion_id(tx: Tx, submission_id: str) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(UNMET_OF_SUBMISSION, submission_id=submission_id)}


def newest_unmet_reason_by_criterion_id(tx: Tx, action_id: str) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(UNMET_OF_NEWEST_SUBMISSION, action_id=action_id)}


def newest_submissions_of_prerequisites(tx: Tx, action_id: str, user_id: str) -> list[tuple[int, Submission]]:
    """With the ref number of each, in that order; of what comes before the action and is done, in the specs that the
    user takes part in. An empty `user_id`: in all.
    """
    rows = tx.all(OF_PREREQUISITES, action_id=action_id, user_id=user_id)
    return [(row[0], Submission(*row[1:])) for row in rows]


def newest_submission(tx: Tx, action_id: str) -> Submission | None:
    row = tx.one(NEWEST_SUBMISSION, action_id=action_id)
    return Submission(*row) if row else None


def add_review(
    tx: Tx,
    review: Review,
    criterion_ids_verdicts_notes: Sequence[tuple[str, CriterionVerdict, str]],
    items: list[ReviewItem],
) -> None:
    """`verdicts` are (criterion id, verdict, note)."""
    tx.run(INSERT_REVIEW, **review._asdict())
    for criterion_id, verdict, note in criterion_ids_verdicts_notes:
        tx.run(INSERT_VERDICT, review_id=review.id, criterion_id=criterion_id, verdict=verdict, note=note)
    for item in items:
        tx.run(INSERT_ITEM, **item._asdict())


def newest_review(tx: Tx, action_id: str) -> Review | None:
    row = tx.one(NEWEST_REVIEW, action_id=action_id)
    return Review(*row) if row else None


def newest_request_by_action_id(tx: Tx, action_ids: list[str]) -> dict[str, RequestedChange]:
    rows = tx.all(REQUESTED, ids=to_json(action_ids)) if action_ids else []
    return {action_id: RequestedChange(reviewer, text) for action_id, reviewer, text in rows}


def of_submission(tx: Tx, submission_id: str) -> Review | None:
    row = tx.one(OF_SUBMISSION, submission_id=submission_id)
    return Review(*row) if row else None


def items_of(tx: Tx, review_id: str) -> list[ReviewItem]:
    """In the order in which the reviewer wrote them."""
    return [ReviewItem(*row) for row in tx.all(ITEMS_OF_REVIEW, review_id=review_id)]


def save_disposition(tx: Tx, review_item_id: str, disposition: Disposition, note: str) -> None:
    tx.run(DISPOSE, id=review_item_id, disposition=disposition, note=note)


def submissions_of(tx: Tx, action_id: str, limit: int) -> list[Submission]:
    """The newest first."""
    return [Submission(*row) for row in tx.all(SUBMISSIONS_OF_ACTION, action_id=action_id, limit=limit)]


def reviews_of(tx: Tx, action_id: str, limit: int) -> list[Review]:
    """The newest first."""
    return [Review(*row) for row in tx.all(REVIEWS_OF_ACTION, action_id=action_id, limit=limit)]


def criterion_ids_verdicts_and_notes(tx: Tx, review_id: str) -> list[Row]:
    """Criterion id, verdict and note."""
    return tx.all(VERDICTS_OF_REVIEW, review_id=review_id)
