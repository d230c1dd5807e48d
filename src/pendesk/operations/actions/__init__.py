"""Actions as people plan them: their criteria and dependencies. Tasks are the same in the planning tools' words."""
