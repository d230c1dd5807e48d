"""Comments on documents, actions and specs."""
