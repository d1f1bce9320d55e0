"""What TensorFlow builds from many ops at once: layers, losses, metrics, assertions."""
