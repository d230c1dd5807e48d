"""`python -m pendesk`."""

from pendesk.cli import main

main(prog_name="pendesk")
