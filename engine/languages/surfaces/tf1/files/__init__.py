"""What TensorFlow 1 writes to files: summaries and checkpoints."""
