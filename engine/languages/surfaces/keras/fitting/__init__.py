"""`compile`, `fit`, `evaluate` and `predict` of Keras on arrays: losses, callbacks, penalties, sequences."""
