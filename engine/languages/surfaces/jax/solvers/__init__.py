"""Solvers of JAX that call a function of the program again and again: differential equations and minima."""
