"""Metrics of Keras that count: by thresholds, or by classes."""
