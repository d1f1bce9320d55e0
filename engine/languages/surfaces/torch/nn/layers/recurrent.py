"""Recurrent layers: RNN, LSTM, GRU over sequences, and their cells for one step."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.records import Record
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.dtypes import DEFAULT_FLOAT
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing import index_select
from engine.languages.surfaces.torch.functions.shaping import (
    cat,
    reshape,
    select,
    squeeze,
    stack,
    transpose,
    transpose_own_result,
    unbind,
    unsqueeze,
)
from engine.languages.surfaces.torch.nn.functional.checks.recurrent import (
    check_cell,
    check_layer_input,
    check_layer_settings,
    check_layer_sizes,
    check_layer_states,
    check_width,
)
from engine.languages.surfaces.torch.nn.functional.dropping import dropout
from engine.languages.surfaces.torch.nn.functional.recurrent import STEPS, lstm_at_once, run_layer, run_packed
from engine.languages.surfaces.torch.nn.init import uniform_
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, empty, layer
from engine.languages.surfaces.torch.nn.sequences import PACKED
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}
PLACE = {"device": None, "dtype": None}
SEQUENCE = {
    "bias": True,
    "batch_first": False,
    "dropout": 0.0,
    "bidirectional": False,
    **PLACE,
}

# -- over sequences --------------------------------------------------------------------------------------


def _names(layer_index: int, direction: int, has_bias: bool) -> list[str]:
    end = f"_l{layer_index}" + ("_reverse" if direction else "")
    names = [f"weight_ih{end}", f"weight_hh{end}"]
    return names + ([f"bias_ih{end}", f"bias_hh{end}"] if has_bias else [])


def _set_up(mode: str) -> Any:
    def set_up(interpreter: Interpreter, self: UserObject) -> None:
        facts, dtype = self.fields, element_type(self)
        check_layer_settings(facts)
        if facts.get("proj_size"):
            raise not_here(
                "proj_size", " proj_size", "Add a Linear layer after it.", "请在其后加一个 Linear 层。"
            )
        own = f"RNN_{facts['nonlinearity'].upper()}" if mode == "RNN" else mode
        if own not in GATES:
            raise torch_error(
                f"Unknown nonlinearity '{facts['nonlinearity']}'. Select from 'tanh' or 'relu'.",
                "nonlinearity 只能是 'tanh' 或 'relu'。",
                kind="ValueError",
            )
        facts["mode"] = own
        facts.pop("nonlinearity", None) if mode != "RNN" else None
        if facts["dropout"] > 0 and facts["num_layers"] == 1:
            _note_dropout(interpreter)
        hidden, directions = facts["hidden_size"], 2 if facts["bidirectional"] else 1
        rows = GATES[own] * hidden
        for index in range(facts["num_layers"]):
            width = facts["input_size"] if index == 0 else hidden * directions
            for direction in range(directions):
                names = _names(index, direction, facts["bias"])
                shapes = [(rows, width), (rows, hidden), (rows,), (rows,)]
                facts.update({name: empty(shape, dtype) for name, shape in zip(names, shapes, strict=False)})
        _reset(self)

    return set_up


def _all_weights(self: UserObject) -> list[list[Any]]:
    """The weights of each layer and direction."""
    facts = self.fields
    return [
        [facts[name] for name in _names(index, direction, facts["bias"])]
        for index in range(facts["num_layers"])
        for direction in range(2 if facts["bidirectional"] else 1)
    ]


def _reset(self: UserObject) -> None:
    """Draw the weights anew, uniform within 1 / sqrt(hidden size)."""
    hidden = self.fields["hidden_size"]
    bound = 1.0 / math.sqrt(hidden) if hidden > 0 else 0
    for _, name in _all_names(self):
        uniform_(self.fields[name], -bound, bound)


def _all_names(self: UserObject) -> list[tuple[tuple[int, int], str]]:
    facts = self.fields
    return [
        ((index, direction), name)
        for index in range(facts["num_layers"])
        for direction in range(2 if facts["bidirectional"] else 1)
        for name in _names(index, direction, facts["bias"])
    ]


def _note_dropout(interpreter: Interpreter) -> None:
    interpreter.note(
        "dropout_of_one_layer",
        "dropout acts between recurrent layers, and here is one layer only: it has no effect.",
        "dropout 作用于循环层之间，而这里只有一层，因此没有效果。",
        "Give num_layers greater than 1.",
        "请让 num_layers 大于 1。",
    )


def _forward(interpreter: Interpreter, self: UserObject, input: Any, hx: Any = None) -> Any:
    """All layers, in both directions.

    Shapes: input (T, N, I), or (N, T, I) with batch_first, or (T, I); hx (L D, N, H) -> (T, N, D H), hx.
    """
    facts = self.fields
    if isinstance(input, Record) and input.kind is PACKED:
        return _forward_packed(self, input, hx)
    if not isinstance(input, Tensor):
        raise not_here(f"A {python_name(input)} as input of a recurrent layer", "把它作为循环层的输入")
    check_layer_input(self.kind.name, input, facts["input_size"], facts["weight_ih_l0"])
    alone, first = input.form.ndim == 2, facts["batch_first"]
    xs = unsqueeze(input, 0 if first else 1) if alone else input
    xs = transpose(xs, 0, 1) if first else xs
    states = _first_states(self, hx, xs, xs.array.shape[1], alone)
    output, after = _run(self, xs, states)
    if first:
        turn = transpose if facts["mode"] == "LSTM" else transpose_own_result
        output = turn(output, 0, 1)
    if alone:
        output, after = squeeze(output, 0 if first else 1), [squeeze(one, 1) for one in after]
    return output, (tuple(after) if len(after) > 1 else after[0])


def _forward_packed(self: UserObject, packed: Record, hx: Any) -> tuple[Record, Any]:
    """The same of a packed sequence, which comes out packed again."""
    data, sizes, order, unsorted = packed
    check_width(data, self.fields["input_size"])
    given = None if hx is None else list(hx) if isinstance(hx, (tuple, list)) else [hx]
    if given is not None and order is not None:
        given = [index_select(one, 1, order) for one in given]
    states = _first_states(self, given, data, int(sizes.array[0]))
    output, after = _run(self, data, states, [int(n) for n in sizes.array])
    if unsorted is not None:
        after = [index_select(one, 1, unsorted) for one in after]
    made = Record(PACKED, (output, sizes, order, unsorted))
    return made, (tuple(after) if len(after) > 1 else after[0])


def _first_states(self: UserObject, hx: Any, xs: Tensor, size: int, alone: bool = False) -> list[Tensor]:
    """h, and c of an LSTM: what the program gives, or zeros. Shapes: -> (L D, N, H) each."""
    facts = self.fields
    count = facts["num_layers"] * (2 if facts["bidirectional"] else 1)
    shape = (count, size, facts["hidden_size"])
    kinds = 2 if facts["mode"] == "LSTM" else 1
    if hx is None:
        return [of_numbers(np.zeros(shape, dtype=xs.array.dtype)) for _ in range(kinds)]
    given = list(hx) if isinstance(hx, (tuple, list)) else [hx]
    check_layer_states(facts["mode"], given, alone)
    given = [unsqueeze(one, 1) for one in given] if alone else given
    check_layer_sizes(facts["mode"], given, shape)
    return given


def _starts(states: list[Tensor], at_once: bool) -> list[tuple[Tensor, ...]]:
    """The states with which each layer begins in each direction. Shapes: (L D, N, H) -> (N, H)."""
    count = states[0].form.shape[0]
    parts = [[select(one, 0, n) for n in range(count)] if at_once else unbind(one, 0) for one in states]
    return list(zip(*parts, strict=True))


def _is_at_once(facts: dict[str, Any], xs: Tensor, sizes: list[int] | None) -> bool:
    """Whether PyTorch computes a layer by one function of the library for its processor."""
    return facts["mode"] == "LSTM" and xs.dtype is DEFAULT_FLOAT and len(set(sizes or ())) < 2


def _one_way(
    facts: dict[str, Any],
    xs: Tensor,
    sizes: list[int] | None,
    start: tuple[Tensor, ...],
    weights: list[Any],
    backwards: bool,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """One layer in one direction, as PyTorch runs it. Returns: its output, its last state."""
    if _is_at_once(facts, xs, sizes):
        settings = {"hidden_size": facts["hidden_size"], "train": facts["training"]}
        output, *last = lstm_at_once(xs, *weights, *start, reverse=backwards, **settings)
        return output, tuple(last)
    if sizes is None:
        return run_layer(facts["mode"], xs, start, weights, backwards)
    return run_packed(facts["mode"], xs, sizes, start, weights, backwards)


def _run(
    self: UserObject, xs: Tensor, states: list[Tensor], sizes: list[int] | None = None
) -> tuple[Tensor, list[Tensor]]:
    """Layer after layer. sizes: of a packed sequence, how many elements each step has."""
    facts = self.fields
    directions = 2 if facts["bidirectional"] else 1
    after: list[list[Tensor]] = [[] for _ in states]
    at_once = _is_at_once(facts, xs, sizes)
    if at_once and sizes is not None:  # sequences of one length are a batch
        output, last_states = _run(self, reshape(xs, (len(sizes), sizes[0], -1)), states)
        return reshape(output, (xs.form.shape[0], -1)), last_states
    starts = _starts(states, at_once)
    for index in range(facts["num_layers"]):
        outputs = []
        for direction in range(directions):
            names = _names(index, direction, facts["bias"])
            weights = [*(facts[name] for name in names), None, None][:4]
            start = starts[index * directions + direction]
            output, last = _one_way(facts, xs, sizes, start, weights, direction == 1)
            outputs.append(output)
            for kept, one in zip(after, last, strict=True):
                kept.append(one)
        xs = cat(outputs, -1) if directions == 2 else outputs[0]
        if index < facts["num_layers"] - 1:
            xs = dropout(xs, facts["dropout"], facts["training"])
    return xs, [stack(one, 0) for one in after]


def _text(self: UserObject) -> str:
    facts = self.fields
    parts = [f"{facts['input_size']}, {facts['hidden_size']}"]
    usual = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
    parts += [f"{name}={facts[name]}" for name, value in usual.items() if facts[name] != value]
    return ", ".join(parts)


for _name in ("RNN", "LSTM", "GRU"):
    _start = {"input_size": REQUIRED, "hidden_size": REQUIRED, "num_layers": 1}
    if _name == "RNN":
        _start["nonlinearity"] = "tanh"
    _more = {"proj_size": 0} if _name == "LSTM" else {}
    layer(
        _name,
        _forward,
        setup=_set_up(_name),
        extra=_text,
        settings={**_start, **SEQUENCE, **_more},
        properties=MappingProxyType({"all_weights": _all_weights}),
        reset_parameters=_reset,
    )


# -- one step --------------------------------------------------------------------------------------------


def _set_up_cell(gates: int) -> Any:
    def set_up(self: UserObject) -> None:
        facts, dtype = self.fields, element_type(self)
        rows, hidden = gates * facts["hidden_size"], facts["hidden_size"]
        has_bias = facts["bias"]
        facts["weight_ih"], facts["weight_hh"] = (
            empty((rows, facts["input_size"]), dtype),
            empty((rows, hidden), dtype),
        )
        for name in ("bias_ih", "bias_hh"):
            facts[name] = empty((rows,), dtype) if has_bias else None
        bound = 1.0 / math.sqrt(hidden) if hidden > 0 else 0
        for name in CELL_WEIGHTS:
            if facts[name] is not None:
                uniform_(facts[name], -bound, bound)

    return set_up


CELL_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _forward_cell(interpreter: Interpreter, self: UserObject, input: Any, hx: Any = None) -> Any:
    """Shapes: input (N, I) or (I,), hx (N, H) or (H,) -> hx."""
    facts = self.fields
    mode = facts.get("mode") or f"RNN_{facts['nonlinearity'].upper()}"
    given = None if hx is None else tuple(hx) if isinstance(hx, (tuple, list)) else (hx,)
    check_cell(self.kind.name, input, given, facts["input_size"], facts["hidden_size"])
    alone = input.form.ndim == 1
    x = unsqueeze(input, 0) if alone else input
    kinds = 2 if mode == "LSTM" else 1
    if given is None:
        zeros = np.zeros((x.array.shape[0], facts["hidden_size"]), dtype=x.array.dtype)
        state = tuple(of_numbers(zeros) for _ in range(kinds))
    else:
        state = tuple(unsqueeze(one, 0) if alone else one for one in given)
    after = STEPS[mode](x, state, [facts[name] for name in CELL_WEIGHTS])
    after = tuple(squeeze(one, 0) for one in after) if alone else after
    return after if kinds == 2 else after[0]


def _cell_text(self: UserObject) -> str:
    facts = self.fields
    parts = [f"{facts['input_size']}, {facts['hidden_size']}"]
    if facts["bias"] is not True:
        parts.append(f"bias={facts['bias']}")
    if facts.get("nonlinearity", "tanh") != "tanh":
        parts.append(f"nonlinearity={facts['nonlinearity']}")
    return ", ".join(parts)


def _enter_cell(name: str, mode: str | None, gates: int, settings: dict[str, Any]) -> None:
    start = _set_up_cell(gates)

    def set_up(self: UserObject) -> None:
        start(self)
        if mode is not None:
            self.fields["mode"] = mode

    layer(
        name,
        _forward_cell,
        setup=set_up,
        extra=_cell_text,
        settings={"input_size": REQUIRED, "hidden_size": REQUIRED, "bias": True, **settings, **PLACE},
    )


_enter_cell("RNNCell", None, 1, {"nonlinearity": "tanh"})
_enter_cell("LSTMCell", "LSTM", 4, {})
_enter_cell("GRUCell", "GRU", 3, {})
