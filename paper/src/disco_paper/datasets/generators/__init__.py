"""Seeded data, one file each."""
