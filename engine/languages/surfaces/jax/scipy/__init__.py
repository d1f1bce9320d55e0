"""`jax.scipy` beyond what stands with `jax.nn` and `jax.numpy`: special functions, distributions, solvers."""
