"""Specs, who takes part in them, and the builds that are published from them."""
