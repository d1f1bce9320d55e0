"""TensorFlow 1's losses over drawn classes, and what draws these."""

from __future__ import annotations

from typing import Any

from engine.graph.composites import sampled_losses
from engine.graph.composites.sampled_losses import Sampling
from engine.languages.surfaces.argument_kinds import COUNT
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import offer, taken
from engine.ops.base.shapes import whole_number
from engine.ops.sources import candidates

offer(candidates.log_uniform_candidate_sampler, "nn.log_uniform_candidate_sampler")
offer(candidates.log_uniform_candidate_sampler, "random.log_uniform_candidate_sampler")
offer(candidates.uniform_candidate_sampler, "nn.uniform_candidate_sampler")
offer(candidates.uniform_candidate_sampler, "random.uniform_candidate_sampler")


def _sampling(
    num_sampled: Any, num_classes: Any, num_true: Any, values: Any, removes_hits: Any, seed: Any = None
) -> Sampling:
    return Sampling(
        whole_number(num_sampled, "num_sampled"),
        whole_number(num_classes, "num_classes"),
        whole_number(num_true, "num_true"),
        values,
        bool(removes_hits),
        seed,
    )


@TF.function("nn.nce_loss", num_sampled=COUNT, num_classes=COUNT, num_true=COUNT)
def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any = 1,
    sampled_values: Any = None,
    remove_accidental_hits: Any = False,
    partition_strategy: Any = "mod",
    name: Any = "nce_loss",
) -> Any:
    """Whether each class is right, decided for the right ones and for drawn ones."""
    given = weights, biases, taken(labels), taken(inputs)
    hits, values = remove_accidental_hits, sampled_values
    how = _sampling(num_sampled, num_classes, num_true, values, hits)
    return sampled_losses.nce_loss(given, how, name)


@TF.function("nn.sampled_softmax_loss", num_sampled=COUNT, num_classes=COUNT, num_true=COUNT)
def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any = 1,
    sampled_values: Any = None,
    remove_accidental_hits: Any = True,
    partition_strategy: Any = "mod",
    name: Any = "sampled_softmax_loss",
    seed: Any = None,
) -> Any:
    """The cross entropy of the right class among drawn ones."""
    given = weights, biases, taken(labels), taken(inputs)
    hits, values = remove_accidental_hits, sampled_values
    how = _sampling(num_sampled, num_classes, num_true, values, hits, seed)
    return sampled_losses.sampled_softmax_loss(given, how, name)
