"""Generated loops over elements, compiled by numba where it is installed."""
