"""Who is near whom: distances, the k-d tree, core distances, nearest points."""
