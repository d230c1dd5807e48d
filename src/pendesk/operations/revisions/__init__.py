"""Every text as it was at each of its revisions."""
