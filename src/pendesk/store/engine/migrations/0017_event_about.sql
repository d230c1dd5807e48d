-- Who may read a private event beside admins and who caused it: the user it is about. Until now that stood in object_id
-- or in the data, under "user". Not part of the hash chain: see docs/internals/events.md. The rows that exist are filled
-- by the file of the engine, since reading JSON differs.
ALTER TABLE events ADD COLUMN about_user_id TEXT;
