"""The database that keeps answers and classes: one writer, many readers."""
