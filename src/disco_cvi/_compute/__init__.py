"""How numbers are computed: kernels, exact sums, threads, progress."""
