"""Activations of neural networks: of straight pieces, and smooth ones."""

from engine.languages.surfaces.torch.functions.activations.rectifiers import relu
from engine.languages.surfaces.torch.functions.activations.smooth import logsigmoid, softplus

__all__ = ["logsigmoid", "relu", "softplus"]
