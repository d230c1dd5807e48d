"""What agent sessions do, as the hooks of their clients report it, and what people tell them."""
