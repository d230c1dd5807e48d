"""The authorization server: clients, consent, codes, grants, devices."""
