"""Access: tokens, members, roles, sign-in."""
