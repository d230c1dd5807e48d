"""The authorization server's endpoints and pages, one file each."""
