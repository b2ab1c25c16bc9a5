"""Validity indices, one module each."""
