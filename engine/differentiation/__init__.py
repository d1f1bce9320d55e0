"""Ways to differentiate: each is a reader of the same graph."""

from engine.differentiation.gradients import gradients

__all__ = ["gradients"]
