"""What the paper prints, and rows that compare with it."""
