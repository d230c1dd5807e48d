"""Agent runs: one stretch of an agent's work, with what it cost."""
