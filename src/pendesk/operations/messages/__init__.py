"""What people write to agents at work."""
