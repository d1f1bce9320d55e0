"""What every call of a function goes through: rows of one number, bfloat16, and complex numbers."""
