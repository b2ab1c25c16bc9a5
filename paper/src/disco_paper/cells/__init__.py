"""What is computed: a cell is data, a labeling and an index."""
