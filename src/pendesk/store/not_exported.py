"""What an export leaves out on purpose, and why. tests/store/test_portable.py finds what is neither here nor there."""

# Tables that belong to no project, or that let someone in.
TABLES = {
    "workspaces": "the tenant; a project is imported into one that exists",
    "users": "people are named in the export by id, name and email, and matched on import; accounts stay",
    "members": "who may do what is the workspace's own",
    "tokens": "secrets, and rights of this installation",
    "sign_in_links": "secrets",
    "sessions": "secrets",
    "invites": "secrets, and rights of this installation",
    "identities": "accounts at a provider that this installation trusts",
    "oauth_clients": "rights of this installation",
    "oauth_consents": "rights of this installation",
    "oauth_grants": "rights of this installation",
    "oauth_codes": "secrets",
    "oauth_refresh_tokens": "secrets",
    "oauth_devices": "secrets",
    "github_webhooks": "the secret is made with the server's own key; set the webhook again where the project goes",
    "github_deliveries": "what GitHub delivered to this server",
    "publications": "where this server publishes, with another server's token; publish again where the project goes",
    "pictures": "projects of other servers",
    "picture_items": "what guests left for other servers",
    "idempotency_keys": "retries of calls to this server",
    "rate_windows": "the rate limit of this server",
    "installation": "facts about this installation",
    "schema_migrations": "the form of this database",
    "event_counters": "numbers of this server's log",
    "event_seals": "signed with this server's key, over its own log",
    "imported_people": "the addresses of people without an account; exported with the people",
    "search_texts": "made again from the texts",
    "search_index": "made again from the texts",
}

# Columns of tables that are exported. "*" stands for every table.
COLUMNS = {
    ("*", "workspace_id"): "the workspace it is imported into",
    ("*", "project_id"): "the one project of the file",
    ("actions", "news_seq"): "a number of this server's log",
    ("claims", "token_id"): "names a secret of this installation",
    ("claims", "told_seq"): "a number of this server's log",
    ("edges", "before_id"): "follows from the label",
    ("edges", "after_id"): "follows from the label",
    ("shares", "hash"): "a secret: the link does not work where the project goes",
    ("shares", "revoked_at"): "every imported share is a revoked one",
    ("attachments", "storage_key"): "where the bytes lie; the bytes themselves are exported",
    ("events", "seq"): "a number of this server's log; the order of the lines tells it",
    ("imported_events", "number"): "the order of the lines tells it",
}
