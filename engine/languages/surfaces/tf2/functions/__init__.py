"""`tf.function`: a body is traced once for each kind of arguments; what was traced runs at every call."""
