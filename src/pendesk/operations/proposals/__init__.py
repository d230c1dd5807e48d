"""What agents draft, and what people accept of it."""
