"""`matplotlib.pyplot`: what a program draws becomes figures of numbers, which stand in its output."""
