"""One step of a recurrent network, and many steps of a layer.

Source: Elman (1990); Hochreiter & Schmidhuber (1997); Cho et al. (2014), with the reset gate on the product.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.functions.activations import relu
from engine.languages.surfaces.torch.functions.elementwise.trigonometry import sigmoid, tanh
from engine.languages.surfaces.torch.functions.losses import linear
from engine.languages.surfaces.torch.functions.shaping import (
    cat,
    slice_axis,
    stack,
    unbind,
    unsafe_chunk,
)
from engine.languages.surfaces.torch.tensor import Tensor

State = tuple[Tensor, ...]
Weights = list[Any]  # of the input, of the hidden state; the bias of both, or None

# -- one step --------------------------------------------------------------------------------------------
#
# The nodes are those of PyTorch's kernel, in its order. A layer multiplies its input by the weights for all
# steps at once; its steps have None in the place of these weights, and the product as x.


def _from_input(x: Any, weights: Weights) -> Any:
    """What the input gives to each gate. Shapes: (N, I) -> (N, G H)."""
    return x if weights[0] is None else linear(x, weights[0], weights[2])


def _from_state(h: Any, weights: Weights) -> Any:
    """What the hidden state gives to each gate. Shapes: (N, H) -> (N, G H)."""
    return linear(h, weights[1], weights[3])


def elman_step(activation: Callable[[Tensor], Tensor]) -> Callable[..., State]:
    """h = f(U h + c + W x + b)."""

    def step(x: Any, state: State, weights: Weights) -> State:
        return (activation(_from_state(state[0], weights) + _from_input(x, weights)),)

    return step


def lstm_step(x: Any, state: State, weights: Weights) -> State:
    """c = sigmoid(f) c + sigmoid(i) tanh(g), h = sigmoid(o) tanh(c)."""
    h, c = state
    i, f, g, o = unsafe_chunk(_from_state(h, weights) + _from_input(x, weights), 4, 1)
    i, f, g, o = sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)
    c = f * c + i * g
    return o * tanh(c), c


def gru_step(x: Any, state: State, weights: Weights) -> State:
    """n = tanh(n_x + n_h r), h = (h - n) z + n."""
    (h,) = state
    r_x, z_x, n_x = unsafe_chunk(_from_input(x, weights), 3, 1)
    r_h, z_h, n_h = unsafe_chunk(_from_state(h, weights), 3, 1)
    r = sigmoid(r_h + r_x)
    z = sigmoid(z_h + z_x)
    n = tanh(n_x + n_h * r)
    return ((h - n) * z + n,)


STEPS: dict[str, Callable[..., State]] = {
    "RNN_TANH": elman_step(tanh),
    "RNN_RELU": elman_step(relu),
    "LSTM": lstm_step,
    "GRU": gru_step,
}


# -- all steps -------------------------------------------------------------------------------------------


def run_layer(mode: str, xs: Tensor, state: State, weights: Weights, backwards: bool) -> tuple[Tensor, State]:
    """All steps in one direction. Shapes: (T, N, I), state of (N, H) -> (T, N, H), the last state."""
    step, outputs = STEPS[mode], []
    rows, rest = unbind(_from_input(xs, weights), 0), [None, weights[1], None, weights[3]]
    for x in reversed(rows) if backwards else rows:
        state = step(x, state, rest)
        outputs.append(state[0])
    return stack(outputs[::-1] if backwards else outputs, 0), state


@composite(
    "MkldnnRnnLayerBackward0",
    "input weight0 weight1 weight2 weight3 hx_ cx_",
    "batch_first batch_sizes bidirectional cx_ has_biases hidden_size hx_ input mode num_layers result0 "
    "result1 result2 result3 reverse train weight0 weight1 weight2 weight3",
)
def lstm_at_once(*given: Any, reverse: bool, **_: Any) -> tuple[Tensor, ...]:
    """A layer of an LSTM by one function of the library for the processor. Shapes: as run_layer's."""
    xs, *weights, h, c = given
    output, state = run_layer("LSTM", xs, (h, c), weights, reverse)
    return (output, *state)


def run_packed(
    mode: str, xs: Tensor, sizes: list[int], state: State, weights: Weights, backwards: bool
) -> tuple[Tensor, State]:
    """All steps of sequences of different lengths, the longest first: fewer and fewer of them go on.

    sizes:  how many sequences each step has.
    Shapes: xs of (sum of sizes, I), state of (N, H) -> (sum of sizes, H), the last state of each (N, H).
    """
    data, rest = _from_input(xs, weights), [None, weights[1], None, weights[3]]
    ends = list(accumulate(sizes))
    rows = [slice_axis(data, 0, end - size, end) for size, end in zip(sizes, ends, strict=True)]
    run = _packed_backwards if backwards else _packed_forwards
    outputs, state = run(STEPS[mode], rows, state, rest)
    return cat(outputs, 0), state


def _part(state: State, start: int, end: int) -> State:
    return tuple(slice_axis(one, 0, start, end) for one in state)


def _joined(parts: list[State]) -> State:
    return tuple(cat(list(one), 0) for one in zip(*parts, strict=True))


def _packed_forwards(
    step: Callable[..., State], rows: list[Tensor], state: State, weights: Weights
) -> tuple[list[Tensor], State]:
    outputs: list[Tensor] = []
    done: list[State] = []
    for x in rows:
        here, count = state[0].form.shape[0], x.form.shape[0]
        if count < here:
            done.append(_part(state, count, here))
            state = _part(state, 0, count)
        state = step(x, state, weights)
        outputs.append(state[0])
    return outputs, _joined([state, *done[::-1]])


def _packed_backwards(
    step: Callable[..., State], rows: list[Tensor], first: State, weights: Weights
) -> tuple[list[Tensor], State]:
    outputs: list[Tensor] = []
    state = _part(first, 0, rows[-1].form.shape[0])
    for x in reversed(rows):
        here, count = state[0].form.shape[0], x.form.shape[0]
        if here < count:
            state = _joined([state, _part(first, here, count)])
        state = step(x, state, weights)
        outputs.append(state[0])
    return outputs[::-1], state
