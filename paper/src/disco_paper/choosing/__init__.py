"""What is lost when an index chooses among labelings: a study of our own."""
