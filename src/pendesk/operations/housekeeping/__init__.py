"""What a running server does for itself: deleting what has expired, and looking after its own health."""
