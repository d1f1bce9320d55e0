"""TensorFlow 1: graphs, sessions, variables, training."""
