"""Links for guests, and pictures on other servers."""
