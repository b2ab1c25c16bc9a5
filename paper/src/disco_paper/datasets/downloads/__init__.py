"""Files that others published: where they are, how they are fetched and read."""
