"""Numbers that primitives compute by ways of their own: ln Γ by Lanczos, complex numbers."""
