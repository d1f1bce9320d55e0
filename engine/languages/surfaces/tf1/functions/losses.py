"""TensorFlow 1's losses and penalties as its graphs collect them, and their sums."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.graph.composites.losses import LOSSES
from engine.graph.variables.variable_scopes import REGULARIZATION_LOSSES
from engine.languages.surfaces.tf1.collections import matching
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import current_graph


@TF.function("losses.get_losses")
def get_losses(scope: Any = None, loss_collection: Any = LOSSES) -> list[Any]:
    """The losses made so far, or those whose names begin with a scope."""
    return matching(current_graph(), loss_collection, scope)


@TF.function("losses.add_loss")
def add_loss(loss: Any, loss_collection: Any = LOSSES) -> None:
    """One more loss for the collection."""
    current_graph().collection(loss_collection).append(loss)


@TF.function("losses.get_regularization_losses")
def get_regularization_losses(scope: Any = None) -> list[Any]:
    """The penalties of all variables."""
    return matching(current_graph(), REGULARIZATION_LOSSES, scope)


@TF.function("losses.get_regularization_loss")
def get_regularization_loss(scope: Any = None, name: Any = "total_regularization_loss") -> Any:
    """The penalties of all variables added up."""
    penalties = get_regularization_losses(scope)
    return ops.add_n(penalties, name=name) if penalties else ops.constant(0.0)


@TF.function("losses.get_total_loss")
def get_total_loss(add_regularization_losses: Any = True, name: Any = "total_loss", scope: Any = None) -> Any:
    """All losses added up, the penalties of variables with them."""
    found = get_losses(scope)
    if add_regularization_losses:
        found += get_regularization_losses(scope)
    return ops.add_n(found, name=name)
