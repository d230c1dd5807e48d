"""What `connect` writes into a repository, and how `disconnect` removes it."""
