"""Ops that take many elements together: sums, means, counts, ranks."""
