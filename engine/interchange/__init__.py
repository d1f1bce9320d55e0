"""The engine's values and graphs in forms that other tools read."""
