"""What the commands share: the console, the way to a server, logins, and what doctor looks at."""
