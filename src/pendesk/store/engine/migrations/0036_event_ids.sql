-- An event has an id from the moment it is recorded, and its number in the log (seq) from when it is numbered. What is
-- written beside an event, in the same transaction, names it by its id. See docs/internals/events.md.
ALTER TABLE agent_session_news RENAME COLUMN event_seq TO event_id;
ALTER TABLE messages RENAME COLUMN event_seq TO event_id;
ALTER TABLE session_controls RENAME COLUMN event_seq TO event_id;
ALTER TABLE actions RENAME COLUMN news_seq TO news_event_id;
ALTER TABLE claims RENAME COLUMN told_seq TO told_event_id;
