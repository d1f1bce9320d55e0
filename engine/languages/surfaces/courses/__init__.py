"""Small libraries that courses teach with."""
