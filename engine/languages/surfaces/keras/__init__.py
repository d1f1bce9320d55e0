"""Keras: layers, models, losses, metrics, optimizers."""
