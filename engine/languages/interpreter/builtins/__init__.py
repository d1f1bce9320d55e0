"""Python's own functions, types and texts, as a program sees them."""
