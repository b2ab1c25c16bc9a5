"""Facts become one self-contained page."""
