"""Ways to differentiate: each is a reader of the same graph."""

from engine.differentiation.reverse.gradients import gradients
from engine.differentiation.reverse.hessians import hessians
from engine.differentiation.reverse.templates import prepare_stamps

__all__ = ["gradients", "hessians", "prepare_stamps"]
