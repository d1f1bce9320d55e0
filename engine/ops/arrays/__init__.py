"""Ops that arrange elements: shapes, slices, rows by number, orders."""
