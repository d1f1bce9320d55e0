"""Complex numbers: their parts, and functions whose results are complex of real numbers."""
