"""TensorFlow 1's functions that compute, under its own argument names."""
