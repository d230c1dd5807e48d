"""What people look at: the desk as a whole, and a project as a board."""
