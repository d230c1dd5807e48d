"""What people look at: the workspace as a whole, and a project as a board."""
