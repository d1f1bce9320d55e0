"""A run of an optimizer, told as columns while it happens."""
