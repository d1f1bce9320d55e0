"""TensorFlow 2's functions that TensorFlow 1 has not, or has otherwise."""
