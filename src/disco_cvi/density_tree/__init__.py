"""The tree that labelings share."""
