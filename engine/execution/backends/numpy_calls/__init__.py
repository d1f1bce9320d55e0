"""Generated functions of numpy's calls."""
