"""How a program of TensorFlow 1 begins: what it imports from inside the library, and its settings."""
