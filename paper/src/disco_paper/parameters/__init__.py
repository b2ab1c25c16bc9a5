"""DISCO along eps and min_points."""
