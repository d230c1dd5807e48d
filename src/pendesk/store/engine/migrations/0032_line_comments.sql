-- A comment on lines of the change: side, line and end_line say which, quote holds them as they were. kind: null stands
-- for a request, which its agent answers; a remark asks for nothing. deviation_id: what the request came of.
ALTER TABLE review_items ADD COLUMN kind TEXT CHECK (kind IN ('request', 'remark'));
ALTER TABLE review_items ADD COLUMN path TEXT;
ALTER TABLE review_items ADD COLUMN side TEXT CHECK (side IN ('old', 'new'));
ALTER TABLE review_items ADD COLUMN line BIGINT;
ALTER TABLE review_items ADD COLUMN end_line BIGINT;
ALTER TABLE review_items ADD COLUMN quote TEXT;
ALTER TABLE review_items ADD COLUMN deviation_id TEXT;
-- In the order in which they were written.
DROP INDEX review_items_by_review;
CREATE INDEX review_items_by_review ON review_items (workspace_id, review_id, id);
