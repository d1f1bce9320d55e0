"""`scipy` beside numpy: a few functions of `scipy.special`."""
