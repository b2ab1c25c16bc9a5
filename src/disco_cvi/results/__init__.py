"""What the numbers mean: evaluation, comparison, explanation."""
