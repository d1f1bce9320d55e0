"""Turns of a loop: what a tape's turn does is recorded, and later turns that do the same replay it."""
