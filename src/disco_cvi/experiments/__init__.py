"""The tables and figures of the DISCO paper."""
