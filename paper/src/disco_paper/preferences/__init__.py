"""Which of two labelings an index prefers."""
