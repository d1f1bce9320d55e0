"""Ways to differentiate: each is a reader of the same graph."""

from engine.differentiation.gradients import gradients
from engine.differentiation.hessians import hessians

__all__ = ["gradients", "hessians"]
