"""Functions of one tensor, element by element, each beside its gradient."""
