"""Projects and their goals, their canvas, and what is searched in all of them."""
