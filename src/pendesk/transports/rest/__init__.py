"""REST under /api/v1: every operation at an address of its own. `routes.py` is the whole of it as a table."""
