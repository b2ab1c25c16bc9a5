"""What noise does to the indices."""
