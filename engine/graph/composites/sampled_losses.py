"""`tf.nn.nce_loss` and `tf.nn.sampled_softmax_loss`: losses over some of very many classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.ops.arrays import indexing, joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common import casting, constants, measuring
from engine.ops.common.passing import stop_gradient
from engine.ops.elementwise import arithmetic, comparison, exponentials
from engine.ops.linear_algebra import products
from engine.ops.networks import losses
from engine.ops.networks.embedding import embedding_lookup
from engine.ops.sources import candidates


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which classes a loss looks at.

    num_true:       how many right ones each example has.
    sampled_values: classes that are drawn already, with how often each was expected.
    removes_hits:   whether drawn classes that are right ones are left out.
    """

    num_sampled: int
    num_classes: int
    num_true: int = 1
    sampled_values: Sequence[Any] | None = None
    removes_hits: bool = False
    seed: int | None = None


Given = tuple[Any, Any, Any, Any]  # weights, biases, labels, inputs


def nce_loss(given: Given, how: Sampling, name: str | None = None) -> Tensor:
    """Whether each class is right, decided for the right ones and for drawn ones.

    Source: Gutmann and Hyvärinen, Noise-contrastive estimation (2010).
    Shapes: weights (classes, d), biases (classes,), labels (n, t), inputs (n, d) -> (n,).
    """
    logits, targets = _sampled_logits(given, how, name or "nce_loss")
    each = losses.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name="sampled_losses")
    return _sum_rows(each)


def sampled_softmax_loss(given: Given, how: Sampling, name: str | None = None) -> Tensor:
    """The cross entropy of the right class among drawn ones.

    Source: Jean et al., On using very large target vocabulary (2014).
    Shapes: as those of `nce_loss`.
    """
    logits, targets = _sampled_logits(given, how, name or "sampled_softmax_loss")
    fixed = stop_gradient(targets, name="labels_stop_gradient")
    return losses.softmax_cross_entropy_with_logits_v2(labels=fixed, logits=logits)


def _sampled_logits(given: Given, how: Sampling, name: str) -> tuple[Tensor, Tensor]:
    """Logits of the right classes and of the drawn ones side by side, and what they should be."""
    weights, biases, labels, inputs = given
    with name_scope(name, name):
        x, classes = convert_to_tensor(inputs), convert_to_tensor(labels, name="labels")
        if classes.dtype != "int64":
            classes = casting.cast(classes, "int64")
        flat = reshaping.reshape(classes, [-1])
        drawn = how.sampled_values
        if drawn is None:
            drawn = candidates.log_uniform_candidate_sampler(
                classes, how.num_true, how.num_sampled, True, how.num_classes, how.seed
            )
        sampled, true_count, sampled_count = (stop_gradient(one) for one in drawn)
        if sampled.dtype != "int64":
            sampled = casting.cast(sampled, "int64")
        every = joining.concat([flat, sampled], 0)
        rows = embedding_lookup(weights, every)
        true_rows = indexing.slice_op(rows, [0, 0], joining.stack([measuring.shape_of(flat)[0], -1]))
        drawn_rows = indexing.slice_op(rows, joining.stack([measuring.shape_of(flat)[0], 0]), [-1, -1])
        drawn_logits = products.matrix_product(x, drawn_rows, transpose_b=True)
        offsets = embedding_lookup(biases, every)
        true_offsets = indexing.slice_op(offsets, [0], measuring.shape_of(flat))
        drawn_offsets = indexing.slice_op(offsets, measuring.shape_of(flat), [-1])
        width = measuring.shape_of(true_rows)[1:2]
        by_example = joining.concat([[-1, how.num_true], width], 0)
        products_of = arithmetic.mul(reshaping.expand_dims(x, 1), reshaping.reshape(true_rows, by_example))
        dots = reshaping.reshape(products_of, joining.concat([[-1], width], 0))
        true_logits = reshaping.reshape(_sum_rows(dots), [-1, how.num_true])
        true_logits += reshaping.reshape(true_offsets, [-1, how.num_true])
        drawn_logits += drawn_offsets
        if how.removes_hits:
            drawn_logits += _hits(classes, sampled, how)
        true_logits -= exponentials.log(true_count)
        drawn_logits -= exponentials.log(sampled_count)
        logits = joining.concat([true_logits, drawn_logits], 1)
        shares = comparison.ones_like(true_logits) / how.num_true
        return logits, joining.concat([shares, constants.zeros_like(drawn_logits)], 1)


def _hits(classes: Tensor, sampled: Tensor, how: Sampling) -> Tensor:
    """A number below all others where a drawn class is a right one, else 0."""
    node = candidates.compute_accidental_hits.node(classes, sampled, num_true=how.num_true)
    rows, places, values = node.outputs
    rows_2d = reshaping.reshape(rows, [-1, 1])
    places_2d = reshaping.reshape(casting.cast(places, "int32"), [-1, 1])
    positions = joining.concat([rows_2d, places_2d], 1, name="sparse_indices")
    first = measuring.shape_of(classes)[:1]
    shape = joining.concat([first, reshaping.expand_dims(how.num_sampled, 0)], 0)
    return candidates.sparse_to_dense(positions, shape, values, 0.0, validate_indices=False)


def _sum_rows(x: Tensor) -> Tensor:
    """The sum of each row, as a product with ones."""
    ones = constants.ones(joining.stack([measuring.shape_of(x)[1], 1]), x.dtype)
    return reshaping.reshape(products.matrix_product(x, ones), [-1])
