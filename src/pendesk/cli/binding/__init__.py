"""What `connect` writes into a repository, and how `disconnect` takes it out again."""
