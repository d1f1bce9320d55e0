"""Where answers come from: memory, the store, a worker; in this order."""
