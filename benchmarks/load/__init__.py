"""Load: a service under attack, and whether it gets over it. See `__main__.py`."""
