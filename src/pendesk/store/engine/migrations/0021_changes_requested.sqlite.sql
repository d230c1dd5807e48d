-- A check of a column cannot be altered, and rebuilding the table would rebuild all that refers to it. The text of the
-- schema is changed instead, as SQLite describes it for constraints that no row breaks.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''in_review'', ''done''', '''in_review'', ''changes_requested'', ''done''')
WHERE type = 'table' AND name = 'actions';
PRAGMA writable_schema = RESET;
UPDATE actions SET state = 'changes_requested', state_reason = NULL
WHERE state = 'in_review' AND state_reason = 'changes_requested';
