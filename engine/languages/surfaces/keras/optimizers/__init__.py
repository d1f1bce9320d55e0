"""Keras's optimizers, what they remember, and their schedules."""
