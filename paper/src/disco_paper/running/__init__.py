"""Compute the cells of experiments, store them, and write what was found."""
