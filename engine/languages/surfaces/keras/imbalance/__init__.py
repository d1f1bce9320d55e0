"""Losses for classes of which there are few examples."""
