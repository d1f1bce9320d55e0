"""TensorFlow 2: tensors with values, tapes, datasets."""
