"""Training: a step, many steps, and the states kept on the way."""
