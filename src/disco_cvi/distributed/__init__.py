"""Density trees of points that no single machine holds."""
