"""Nouns, rules, refusals and limits. Standard library only: no I/O, no clock, no database."""
