"""What a text means: the Python subset, mathematics, and the libraries that programs import."""
