-- What guests see and may do by a link, and what servers show for one another.

-- A share with a server_url stands on that server; its own link here opens nothing.
ALTER TABLE shares ADD COLUMN takes_items BIGINT NOT NULL DEFAULT 0 CHECK (takes_items IN (0, 1));
ALTER TABLE shares ADD COLUMN with_documents BIGINT NOT NULL DEFAULT 0 CHECK (with_documents IN (0, 1));
ALTER TABLE shares ADD COLUMN server_url TEXT;

-- source_id is the item's id on the server where its guest left it: what is pulled twice is taken in once.
ALTER TABLE inbox_items ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox_items ADD COLUMN source_id TEXT;
CREATE UNIQUE INDEX inbox_items_by_source ON inbox_items (workspace_id, share_id, source_id)
  WHERE source_id IS NOT NULL;
CREATE INDEX inbox_items_waiting ON inbox_items (workspace_id, share_id) WHERE status = 'pending';

-- Where a project's picture stands. The other server's token is sealed with this server's key (domain/vault.py);
-- digest is of the picture that was sent last.
CREATE TABLE publications (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  share_id TEXT NOT NULL,
  server_url TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  digest TEXT NOT NULL,
  published_by TEXT NOT NULL,
  pushed_at BIGINT NOT NULL,
  pulled_at BIGINT,
  PRIMARY KEY (workspace_id, project_id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, share_id) REFERENCES shares (workspace_id, id)
);

-- Pictures of projects that live on other servers: foreign data, which no query on projects ever meets.
-- source_id is the project's id there; content is JSON; drawn_at is the other server's time.
CREATE TABLE pictures (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  digest TEXT NOT NULL,
  drawn_at BIGINT NOT NULL,
  received_by TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT pictures_hash UNIQUE (hash),
  CONSTRAINT pictures_source UNIQUE (workspace_id, source_id)
);

-- What guests left on a picture. A row goes when the picture's own server has said that it has it.
CREATE TABLE picture_items (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  picture_id TEXT NOT NULL,
  guest_name TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, picture_id) REFERENCES pictures (workspace_id, id)
);
CREATE INDEX picture_items_by_picture ON picture_items (workspace_id, picture_id, id);
