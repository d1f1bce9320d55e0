"""Ways to differentiate: each is a reader of the same graph."""

from engine.differentiation.gradients import gradients
from engine.differentiation.hessians import hessians
from engine.differentiation.lazy.templates import prepare_templates

__all__ = ["gradients", "hessians", "prepare_templates"]
