"""What every call of a function goes through: rows of one number, and bfloat16."""
