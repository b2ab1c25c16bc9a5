"""Points joined by cheapest edges."""
