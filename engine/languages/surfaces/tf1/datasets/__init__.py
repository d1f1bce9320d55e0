"""`tf.data` of TensorFlow 1: datasets and iterators as nodes of a graph."""
