"""A run of an optimizer, sent as columns while it happens."""
