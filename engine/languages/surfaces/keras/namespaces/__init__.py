"""`keras.ops` and `keras.random`: Keras 3's own names for functions of tensors."""
