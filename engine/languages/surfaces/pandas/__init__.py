"""Of `pandas`: what programs prepare labels with."""
