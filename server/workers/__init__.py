"""Worker processes: a pool, a fair queue before it, and what is done in them."""
