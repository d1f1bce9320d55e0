"""Ops on texts: joined, changed, made of numbers and made into them."""
