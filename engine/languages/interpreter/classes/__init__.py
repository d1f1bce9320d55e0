"""A program's own classes, their objects, and exceptions."""
