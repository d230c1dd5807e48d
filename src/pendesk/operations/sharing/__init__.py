"""Links for guests, and mirrors on other servers."""
