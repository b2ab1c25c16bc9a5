"""Data sets, programs, run times and correlations."""
