"""DBCV and the order of the rows."""
