"""One step of a recurrent network, and many steps of a layer.

Source: Elman (1990); Hochreiter & Schmidhuber (1997); Cho et al. (2014), with the reset gate on the product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.torch.functions.activations import relu
from engine.languages.surfaces.torch.functions.elementwise.trigonometry import sigmoid, tanh
from engine.languages.surfaces.torch.functions.losses import linear
from engine.languages.surfaces.torch.functions.shaping import cat, chunk, stack
from engine.languages.surfaces.torch.tensor import Tensor

State = tuple[Tensor, ...]
Weights = list[Any]  # input, hidden; bias of both, or None


def _gates(x: Any, h: Any, weights: Weights) -> tuple[Any, Any]:
    """What the input and the hidden state give to each gate. Shapes: (N, I), (N, H) -> (N, G H), (N, G H)."""
    w_input, w_hidden, b_input, b_hidden = weights
    return linear(x, w_input, b_input), linear(h, w_hidden, b_hidden)


def elman_step(activation: Callable[[Tensor], Tensor]) -> Callable[..., State]:
    """h = f(W x + b + U h + c)."""

    def step(x: Any, state: State, weights: Weights) -> State:
        from_input, from_hidden = _gates(x, state[0], weights)
        return (activation(from_input + from_hidden),)

    return step


def lstm_step(x: Any, state: State, weights: Weights) -> State:
    """c = sigmoid(f) c + sigmoid(i) tanh(g), h = sigmoid(o) tanh(c)."""
    h, c = state
    from_input, from_hidden = _gates(x, h, weights)
    i, f, g, o = chunk(from_input + from_hidden, 4, 1)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def gru_step(x: Any, state: State, weights: Weights) -> State:
    """n = tanh(n_x + r n_h), h = (h - n) z + n."""
    (h,) = state
    from_input, from_hidden = _gates(x, h, weights)
    (r_x, z_x, n_x), (r_h, z_h, n_h) = chunk(from_input, 3, 1), chunk(from_hidden, 3, 1)
    r, z = sigmoid(r_x + r_h), sigmoid(z_x + z_h)
    n = tanh(n_x + r * n_h)
    return ((h - n) * z + n,)


STEPS: dict[str, Callable[..., State]] = {
    "RNN_TANH": elman_step(tanh),
    "RNN_RELU": elman_step(relu),
    "LSTM": lstm_step,
    "GRU": gru_step,
}


def run_layer(
    mode: str, xs: list[Tensor], state: State, weights: Weights, backwards: bool
) -> tuple[Tensor, State]:
    """All steps in one direction. Shapes: xs of (N, I), state of (N, H) -> (T, N, H), the last state."""
    step, outputs = STEPS[mode], []
    for x in reversed(xs) if backwards else xs:
        state = step(x, state, weights)
        outputs.append(state[0])
    return stack(outputs[::-1] if backwards else outputs, 0), state


def run_packed(
    mode: str, xs: list[Tensor], state: State, weights: Weights, backwards: bool
) -> tuple[list[Tensor], State]:
    """All steps of sequences of different lengths, the longest first: fewer and fewer of them go on.

    Shapes: xs of (n_t, I), state of (N, H) -> outputs of (n_t, H), the last state of each sequence (N, H).
    """
    step, first = STEPS[mode], state
    outputs: list[Tensor] = []
    if backwards:
        state = tuple(one[: xs[-1].form.shape[0]] for one in first)
        for x in reversed(xs):
            here, count = state[0].form.shape[0], x.form.shape[0]
            if here < count:
                state = tuple(cat([one, more[here:count]], 0) for one, more in zip(state, first, strict=True))
            state = step(x, state, weights)
            outputs.append(state[0])
        return outputs[::-1], state
    done: list[State] = []
    for x in xs:
        count = x.form.shape[0]
        if count < state[0].form.shape[0]:
            done.append(tuple(one[count:] for one in state))
            state = tuple(one[:count] for one in state)
        state = step(x, state, weights)
        outputs.append(state[0])
    parts = [state, *done[::-1]]
    return outputs, tuple(cat(list(one), 0) if len(parts) > 1 else one[0] for one in zip(*parts, strict=True))
