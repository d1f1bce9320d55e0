"""Loops whose turns are the same again: their bodies as one function."""
