-- Who a person is at the OpenID provider that an installation trusts: its subject never changes, an email may.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  linked_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);
