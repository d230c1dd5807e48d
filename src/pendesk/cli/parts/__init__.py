"""What the commands share: the console, finding a server, logins, and the diagnostics of doctor."""
