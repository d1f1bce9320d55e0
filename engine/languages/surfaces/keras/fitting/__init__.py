"""`compile`, `fit`, `evaluate` and `predict`: training a model of Keras on arrays, and what it reports."""
