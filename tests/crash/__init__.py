"""What is left after a kill, a power cut or a restart of the database: `make crash`."""
