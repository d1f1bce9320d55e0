"""What a traced step runs on: Python numbers, numpy's calls, or loops compiled by numba."""
