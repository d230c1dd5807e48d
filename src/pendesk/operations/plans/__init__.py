"""Plans of a spec, and the order of their actions."""
