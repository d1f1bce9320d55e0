"""The CTC loss: how likely a sequence is, over all ways in which it may be spread over more steps.

Source: Graves et al. (2006), Connectionist temporal classification.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_differentiable, torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import Array

LOWEST = -np.inf


def _with_blanks(target: Array, blank: int) -> Array:
    """The labels with a blank before, between and after them. Shapes: (S,) -> (2 S + 1,)."""
    found = np.full(2 * len(target) + 1, blank, np.int64)
    found[1::2] = target
    return found


def _forward(log_probs: Array, labels: Array, blank: int) -> Array:
    """log α: of each step and label the sum over all ways that end there. Shapes: (T, C), (L,) -> (T, L)."""
    steps, size = len(log_probs), len(labels)
    alpha = np.full((steps, size), LOWEST)
    alpha[0, :2] = log_probs[0, labels[:2]]
    skips = np.zeros(size, bool)  # from the label before the last blank
    skips[2:] = (labels[2:] != blank) & (labels[2:] != labels[:-2])
    for t in range(1, steps):
        stay = alpha[t - 1]
        one = np.concatenate([[LOWEST], stay[:-1]])
        two = np.where(skips, np.concatenate([[LOWEST, LOWEST], stay[:-2]])[:size], LOWEST)
        alpha[t] = np.logaddexp(np.logaddexp(stay, one), two) + log_probs[t, labels]
    return alpha


def _loss_of(log_probs: Array, target: Array, blank: int) -> float:
    labels = _with_blanks(target, blank)
    if not len(log_probs):
        return 0.0 if not len(target) else float("inf")
    last = _forward(log_probs, labels, blank)[-1]
    return -float(np.logaddexp.reduce(last[-2:]))


def _slope_of(log_probs: Array, target: Array, blank: int) -> Array:
    """d loss / d log p, plus p: as PyTorch gives it, for scores that log_softmax has made.

    Shapes: (T, C), (S,) -> (T, C).
    """
    labels = _with_blanks(target, blank)
    alpha = _forward(log_probs, labels, blank)
    beta = _forward(log_probs[::-1], labels[::-1], blank)[::-1, ::-1]
    total = np.logaddexp.reduce(alpha[-1, -2:])
    both = alpha + beta - log_probs[:, labels] - total
    shares = np.zeros_like(log_probs)
    for place, label in enumerate(labels):
        shares[:, label] += np.exp(both[:, place])
    return np.exp(log_probs) - shares


def _rows(array: Array, targets: tuple[Array, ...], lengths: tuple[int, ...]) -> list[tuple[Array, Array]]:
    return [
        (array[:count, place].astype(np.float64), target)
        for place, (target, count) in enumerate(zip(targets, lengths, strict=True))
    ]


@differentiable("CtcLossBackward0", saves="self targets lengths blank zeroes")
def _ctc(self: Any, targets: Any, lengths: Any, blank: int, zeroes: bool) -> Any:
    found = [_loss_of(*one, blank) for one in _rows(self.array, targets, lengths)]
    losses = [0.0 if zeroes and not np.isfinite(one) else one for one in found]
    return constant_node(np.asarray(losses, self.array.dtype), "ctc_loss")


_ctc.shown = ("blank", "input_lengths", "log_probs", "result0", "result1", "target_lengths", "targets")


@_ctc.backward
def _ctc_backward(saved: Any, grad: Any) -> Any:
    return ctc_loss_slope(grad, saved.self, saved.targets, saved.lengths, saved.blank, saved.zeroes)


@kernel("NotImplemented", "grad_output self", "")
def ctc_loss_slope(grad_output: Any, self: Any, targets: Any, lengths: Any, blank: int, zeroes: bool) -> Any:
    """What the ways of each target send back. Shapes: (N,), (T, N, C) -> (T, N, C)."""
    array = self.array
    found = np.zeros_like(array)
    for place, (log_probs, target) in enumerate(_rows(array, targets, lengths)):
        if np.isfinite(_loss_of(log_probs, target, blank)):
            found[: len(log_probs), place] = _slope_of(log_probs, target, blank)
        elif not zeroes:
            found[: len(log_probs), place] = np.nan
    return of_numbers(found) * OPERATORS["reshape"](grad_output, (1, -1, 1))


@ctc_loss_slope.backward
def _ctc_slope_backward(saved: Any, grad: Any) -> Any:
    raise not_differentiable("aten::_ctc_loss_backward")


def _counts(lengths: Any) -> tuple[int, ...]:
    listed = lengths.array.reshape(-1).tolist() if isinstance(lengths, Tensor) else list(iterate(lengths))
    return tuple(int(plain(one)) for one in listed)


@torch_function("ctc_loss", f=True)
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any = 0,
    reduction: Any = "mean",
    zero_infinity: Any = False,
) -> Any:
    """The CTC loss. Shapes: log_probs (T, N, C) or (T, C), targets (N, S) or one row -> () or (N,)."""
    alone = log_probs.array.ndim == 2
    scores = OPERATORS["unsqueeze"](log_probs, 1) if alone else log_probs
    steps, sizes = _counts(input_lengths), _counts(target_lengths)
    if len(steps) != scores.array.shape[1] or max(steps, default=0) > scores.array.shape[0]:
        raise torch_error(
            f"Expected input_lengths to have value at most {scores.array.shape[0]}, but got value "
            f"{max(steps, default=0)}",
            f"input_lengths 最多为 {scores.array.shape[0]}，且每个样本一个。",
        )
    held = targets.array.reshape(1, -1) if alone and targets.array.ndim == 1 else targets.array
    if held.ndim == 2:
        labels = tuple(row[:size].astype(np.int64) for row, size in zip(held, sizes, strict=True))
    else:
        ends = np.cumsum(sizes)
        labels = tuple(held[end - size : end].astype(np.int64) for end, size in zip(ends, sizes, strict=True))
    losses: Any = _ctc(scores, labels, steps, int(plain(blank)), bool(zero_infinity))
    if zero_infinity and losses.node is not None:
        losses.node.name = "WhereBackward0"  # PyTorch puts the zeros in afterwards
    if reduction == "none":
        return OPERATORS["squeeze"](losses, 0) if alone else losses
    if reduction == "sum":
        return OPERATORS["sum"](losses)
    return OPERATORS["mean"](losses / of_numbers(np.maximum(sizes, 1).astype(np.int64)))
