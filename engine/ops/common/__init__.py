"""Ops that the gradient rules of most others are written with."""
