"""Products, inverses and factors of matrices."""
