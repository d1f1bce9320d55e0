"""Optimizers: frozen update rules, and the graph that applies them."""

from __future__ import annotations

from typing import Any

from engine.optimizers.building import Optimizer, Rule
from engine.optimizers.gradient_descent import GradientDescent

RULES: dict[str, type[GradientDescent]] = {"GradientDescent": GradientDescent}


def gradient_descent_optimizer(learning_rate: Any, name: str | None = None) -> Optimizer:
    """`tf.train.GradientDescentOptimizer`."""
    return Optimizer(GradientDescent(), name=name, learning_rate=learning_rate)


__all__ = ["RULES", "GradientDescent", "Optimizer", "Rule", "gradient_descent_optimizer"]
