"""Ways to differentiate: each is a reader of the same graph."""

from engine.differentiation.reverse.gradients import gradients
from engine.differentiation.reverse.hessians import hessians
from engine.differentiation.reverse.lazy.templates import prepare_templates

__all__ = ["gradients", "hessians", "prepare_templates"]
