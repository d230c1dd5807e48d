-- SQL cannot encrypt: the next start does it for the tokens in publications, and deletes this mark
-- (operations/sharing/reencrypt_tokens.py). As a migration, so that no older program meets what it cannot read.
INSERT INTO installation (name, value) VALUES ('may_hold_v1_secrets', 'yes');
