"""Other programs beside ours: identical data, one thread, a fresh process for every cell."""
