"""A model and its layers copied and saved: configurations, clones, weights under the name of a file."""
