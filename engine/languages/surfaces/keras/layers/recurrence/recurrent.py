"""`tf.keras.layers`: recurrent layers, turn by turn along the second axis.

SimpleRNN: h' = a(x W + b + h U).
GRU:       z, r = s(x W + h U + b); c = a(x W + b + r (h U + b)); h' = z h + (1 - z) c.
LSTM:      i, f, o = s(x W + h U + b); c' = f c + i a(x W + h U + b); h' = o a(c').
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import ops
from engine.errors import ShapeError, ValueRefused
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import LAYER, layer_init, methods
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.masks import mask_of
from engine.languages.surfaces.keras.named import activation_named, initializer_named
from engine.languages.surfaces.keras.seeds import seed_generator
from engine.languages.surfaces.keras.weights import add_weight
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number, written

# An input, the states, and what of the first of them counts; each of both may be one for each gate.
Step = Callable[[Interpreter, UserObject, Any, list[Any], Any], list[Any]]


CELLS = {"SimpleRNN": "simple_rnn_cell", "GRU": "gru_cell", "LSTM": "lstm_cell"}


def _init(gates: int, states: int) -> Callable[..., None]:
    def init(
        interpreter: Interpreter,
        self: UserObject,
        units: Any,
        activation: Any = "tanh",
        *,
        recurrent_activation: Any = "sigmoid",
        use_bias: Any = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: Any = True,
        dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0,
        seed: Any = None,
        return_sequences: Any = False,
        return_state: Any = False,
        go_backwards: Any = False,
        stateful: Any = False,
        unroll: Any = False,
        reset_after: Any = True,
        use_cudnn: Any = "auto",
        implementation: Any = 2,
        input_shape: Any = None,
        name: Any = None,
    ) -> None:
        """How many numbers the state has, and what the parts begin with."""
        layer_init(interpreter, self, name, input_shape=input_shape)
        self.fields.update(dropout=_share(dropout), recurrent_dropout=_share(recurrent_dropout))
        if gates == 1:
            self.fields["_seed"] = seed_generator(interpreter, seed)
        self.fields["stateful"] = bool(stateful)
        self.fields["_made_of"] = {
            "dropout": dropout,
            "recurrent_dropout": recurrent_dropout,
            "seed": seed,
            "stateful": stateful,
            "units": units,
            "activation": activation,
            "recurrent_activation": recurrent_activation,
            "use_bias": use_bias,
            "kernel_initializer": kernel_initializer,
            "recurrent_initializer": recurrent_initializer,
            "bias_initializer": bias_initializer,
            "unit_forget_bias": unit_forget_bias,
            "return_sequences": return_sequences,
            "return_state": return_state,
            "go_backwards": go_backwards,
            "reset_after": reset_after,
        }
        self.fields.update(units=whole_number(units, "units"), activation=activation_named(activation))
        self.fields.update(
            recurrent_activation=activation_named(recurrent_activation), use_bias=bool(use_bias)
        )
        self.fields.update(return_sequences=bool(return_sequences), return_state=bool(return_state))
        self.fields["go_backwards"] = bool(go_backwards)
        self.fields.update(reset_after=bool(reset_after), _forget=bool(unit_forget_bias))
        self.fields["use_bias"] = bool(use_bias)
        self.fields.update(_gates=gates, _states=states)
        begins = (kernel_initializer, recurrent_initializer, bias_initializer)
        self.fields["_rules"] = [initializer_named(interpreter, rule) for rule in begins]
        if gates > 1:
            self.fields["_seed"] = seed_generator(interpreter, seed)
        sizes = [self.fields["units"]] * states
        self.fields["state_size"] = sizes if states > 1 else sizes[0]
        self.fields["output_size"] = self.fields["units"]

    return init


def _share(rate: Any) -> float:
    """A rate of dropout from 0 to 1. Raises: ValueRefused."""
    number = float(array_of(rate))
    if not 0 <= number < 1:
        raise ValueRefused(
            f"A rate of dropout is from 0 to 1, not {number}.",
            message_zh=f"dropout 的比率在 0 与 1 之间，不能是 {number}。",
            code="bad_value",
        )
    return number


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    if len(input_shape) != 3:
        name, given = self.fields["name"], written(tuple(input_shape))
        raise ShapeError(
            f"Layer {name} takes (examples, turns, features), but its input is {given}.",
            message_zh=f"层 {name} 需要（样本, 时间步, 特征），但输入是 {given}。",
        )
    _variables(interpreter, self, input_shape[-1])
    for variable in self.fields["_weights"]:  # in Keras they belong to the cell inside of the layer
        before, _, own = variable.path.rpartition("/")
        variable.path = f"{before}/{CELLS[self.kind.name]}/{own}"


def _variables(interpreter: Interpreter, self: UserObject, features: int) -> None:
    """Kernel, recurrent kernel and bias, for inputs of so many features."""
    fields = self.fields
    fields["built"] = True
    wide = fields["units"] * fields["_gates"]
    kernel, recurrent, offset = fields["_rules"]
    fields["kernel"] = add_weight(interpreter, self, (features, wide), kernel, name="kernel")
    own = (fields["units"], wide)
    fields["recurrent_kernel"] = add_weight(interpreter, self, own, recurrent, name="recurrent_kernel")
    fields["bias"] = None
    if fields["use_bias"]:
        twice = self.kind.name.startswith("GRU") and fields["reset_after"]
        rule = (
            _forgetting(fields["units"], offset)
            if self.kind.name.startswith("LSTM") and fields["_forget"]
            else offset
        )
        shape = (2, wide) if twice else (wide,)
        fields["bias"] = add_weight(interpreter, self, shape, rule, name="bias")


def _forgetting(units: int, offset: Callable[..., Any]) -> Callable[..., Any]:
    """The offsets of an LSTM: 1 at the gate that forgets, so that it begins by remembering; else a rule's."""

    def begin(shape: Any, dtype: Any = "float32") -> Any:
        before, after = offset((units,), dtype), offset((2 * units,), dtype)
        return ops.concat([before, ops.ones((units,), dtype), after], 0)

    return begin


def _call(step: Step) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        self: UserObject,
        inputs: Any,
        initial_state: Any = None,
        mask: Any = None,
        training: Any = False,
    ) -> Any:
        build_layer(interpreter, self, inputs.shape)
        fields = self.fields
        counts = _turns_that_count(self, mask_of(interpreter, inputs) if mask is None else mask)
        inputs = ops.cast(inputs, fields["kernel"].dtype)
        states = _begin_states(interpreter, self, inputs) if initial_state is None else _listed(initial_state)
        outputs: list[Any] = []
        turns = ops.unstack(inputs, axis=1)
        left_out = _dropped(self, turns[0], states[0]) if training else (None, None)
        order = range(len(turns))
        for turn in reversed(order) if fields["go_backwards"] else order:
            interpreter.budget.step()
            x, hidden = _masked(turns[turn], left_out[0]), _masked(states[0], left_out[1])
            after = step(interpreter, self, x, states, hidden)
            output = after[0]
            if counts is not None:
                goes_on = outputs and not fields.get("zero_output_for_mask")
                before = outputs[-1] if goes_on else ops.zeros_like(output)
                output = ops.where(counts[turn], output, before)
                pairs = zip(after, states, strict=True)
                after = [ops.where(counts[turn], new, old) for new, old in pairs]
            states = after
            outputs.append(output)
        if fields["stateful"]:
            for variable, state in zip(fields["_kept"], states, strict=True):
                interpreter.call(attribute_of(interpreter, variable, "assign"), [state], {})
        result = ops.stack(outputs, 1) if fields["return_sequences"] else outputs[-1]
        return [result, *states] if fields["return_state"] else result

    return call


def _begin_states(interpreter: Interpreter, self: UserObject, inputs: Any) -> list[Any]:
    """Zeros for each example; of a stateful layer what the batch before ended with.

    Raises: ShapeError for another number of examples than before.
    """
    fields = self.fields
    shape = (inputs.shape[0], fields["units"])
    if not fields["stateful"]:
        return [ops.zeros(shape, inputs.dtype)] * fields["_states"]
    kept = fields.setdefault("_kept", [])
    if not kept:
        with untraced(interpreter):
            zeros = initializer_named(interpreter, "zeros")
            for _ in range(fields["_states"]):
                made = add_weight(interpreter, self, shape, zeros, trainable=False, name="rnn_state")
                kept.append(made)
    if kept[0].array.shape != shape:
        raise ShapeError(
            f"The stateful layer {fields['name']} goes on with {len(kept[0].array)} examples, "
            f"but this batch has {shape[0]}.",
            message_zh=f"有状态的层 {fields['name']} 接着处理 {len(kept[0].array)} 个样本，"
            f"但这个批次有 {shape[0]} 个。",
            hint="Let all batches have one size: batch_size=1, or a number of rows that it divides.",
            hint_zh="请让所有批次大小相同：batch_size=1，或使行数能被它整除。",
        )
    return [ops.convert_to_tensor(one) for one in kept]


def reset_states(interpreter: Interpreter, self: UserObject, states: Any = None) -> None:
    """A stateful layer begins with zeros again."""
    refuse_given("reset_states()", {"states": states}, "Leave it out: zeros.", "请去掉它：状态归零。")
    for variable in self.fields.get("_kept", ()):
        zeros = ops.zeros(variable.array.shape)
        interpreter.call(attribute_of(interpreter, variable, "assign"), [zeros], {})


def _dropped(self: UserObject, x: Any, hidden: Any) -> tuple[Any, Any]:
    """By what inputs and states are multiplied in every turn: 0 where they are left out.

    With `recurrent_dropout` each gate has factors of its own: those of the inputs are drawn first.
    """
    fields = self.fields
    gates = fields["_gates"] if fields["recurrent_dropout"] else 1

    def drawn(rate: float, value: Any) -> Any:
        if not rate:
            return None
        ones = ops.ones(value.shape, value.dtype)
        factors = [ops.dropout(ones, rate=rate, seed=fields["_seed"]) for _ in range(gates)]
        return factors if gates > 1 else factors[0]

    return drawn(fields["dropout"], x), drawn(fields["recurrent_dropout"], hidden)


def _turns_that_count(self: UserObject, mask: Any) -> Any:
    """For each turn which examples have it, beside every number of the state; None where all have all."""
    if mask is None:
        return None
    mask = ops.cast(mask, "bool")
    wide = ops.tile(ops.expand_dims(mask, -1), [1, 1, self.fields["units"]])
    return ops.unstack(wide, axis=1)


def _masked(value: Any, factors: Any) -> Any:
    """A value times its factors; one for each gate where they have their own."""
    if isinstance(factors, list):
        return [value * one for one in factors]
    return value if factors is None else value * factors


def _product(value: Any, kernel: Any) -> Any:
    """x W; where each gate has an x of its own, each with its part of W, side by side."""
    if not isinstance(value, list):
        return ops.matrix_product(value, kernel)
    parts = ops.split(ops.convert_to_tensor(kernel), len(value), axis=1)
    return ops.concat([ops.matrix_product(x, part) for x, part in zip(value, parts, strict=True)], 1)


def _cell_call(step: Step) -> Callable[..., Any]:
    """One turn: the output, and the states after it in the form in which they were given."""

    def call(
        interpreter: Interpreter, self: UserObject, inputs: Any, states: Any, training: Any = False
    ) -> Any:
        build_layer(interpreter, self, inputs.shape)
        before = [ops.convert_to_tensor(one) for one in _listed(states)]
        left_out = (None, None)
        if training:  # the same in every turn of a sequence, after which `RNN` forgets them
            if "_factors" not in self.fields:
                self.fields["_factors"] = _dropped(self, inputs, before[0])
            left_out = self.fields["_factors"]
        x, hidden = _masked(inputs, left_out[0]), _masked(before[0], left_out[1])
        after = step(interpreter, self, x, before, hidden)
        return after[0], after if isinstance(states, (list, tuple)) else after[0]

    return call


def _cell_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    _variables(interpreter, self, input_shape[-1])


def _cell_shape(self: UserObject, input_shape: Any) -> Any:
    return (input_shape[0], self.fields["units"])


def _first_states(self: UserObject, batch_size: Any = None) -> list[Any]:
    """Zeros for each example."""
    size = (whole_number(batch_size, "batch_size"), self.fields["units"])
    return [ops.zeros(size) for _ in range(self.fields["_states"])]


def _cell(name: str, step: Step, gates: int, states: int = 1) -> UserClass:
    kind = layer_class(name, _init(gates, states), _cell_call(step), _cell_shape, _cell_build)
    more = methods(name, get_initial_state=_first_states)
    return UserClass(name, LAYER, {**kind.members, **more}, origin="library")


def _listed(states: Any) -> list[Any]:
    return list(states) if isinstance(states, (list, tuple)) else [states]


def _plain(value: Any, offset: Any) -> Any:
    return value if offset is None else ops.bias_add(value, offset)


def _activated(interpreter: Interpreter, self: UserObject, name: str, value: Any) -> Any:
    return interpreter.call(self.fields[name], [value], {})


def _simple_step(
    interpreter: Interpreter, self: UserObject, x: Any, states: list[Any], hidden: Any
) -> list[Any]:
    fields = self.fields
    drive = _plain(ops.matrix_product(x, fields["kernel"]), fields["bias"])
    total = drive + ops.matrix_product(hidden, fields["recurrent_kernel"])
    return [_activated(interpreter, self, "activation", total), *states[1:]]


def _lstm_step(
    interpreter: Interpreter, self: UserObject, x: Any, states: list[Any], hidden: Any
) -> list[Any]:
    fields = self.fields
    cell = states[1]
    total = _product(x, fields["kernel"]) + _product(hidden, fields["recurrent_kernel"])
    i, f, c, o = ops.split(_plain(total, fields["bias"]), 4, axis=1)
    taken, kept, given = (_activated(interpreter, self, "recurrent_activation", gate) for gate in (i, f, o))
    cell = kept * cell + taken * _activated(interpreter, self, "activation", c)
    return [given * _activated(interpreter, self, "activation", cell), cell]


def _gru_step(
    interpreter: Interpreter, self: UserObject, x: Any, states: list[Any], hidden: Any
) -> list[Any]:
    fields = self.fields
    (before,) = states
    offsets: Sequence[Any] = [None, None] if fields["bias"] is None else [fields["bias"], None]
    if fields["bias"] is not None and fields["reset_after"]:
        offsets = ops.unstack(fields["bias"])
    x_z, x_r, x_c = ops.split(_plain(_product(x, fields["kernel"]), offsets[0]), 3, axis=1)
    if fields["reset_after"]:
        own = _plain(_product(hidden, fields["recurrent_kernel"]), offsets[1])
        h_z, h_r, h_c = ops.split(own, 3, axis=1)
    else:
        z_r, last = _kernel_parts(fields["recurrent_kernel"], fields["units"])
        to_gates, to_candidate = (hidden[:2], hidden[2]) if isinstance(hidden, list) else (hidden, hidden)
        h_z, h_r = ops.split(_product(to_gates, z_r), 2, axis=1)
    z = _activated(interpreter, self, "recurrent_activation", x_z + h_z)
    r = _activated(interpreter, self, "recurrent_activation", x_r + h_r)
    again = r * h_c if fields["reset_after"] else ops.matrix_product(r * to_candidate, last)
    candidate = _activated(interpreter, self, "activation", x_c + again)
    return [z * before + (1.0 - z) * candidate]


def _kernel_parts(kernel: Any, units: int) -> Sequence[Any]:
    parts = ops.split(ops.convert_to_tensor(kernel), [2 * units, units], axis=1)
    return list(parts)


def _shape(self: UserObject, input_shape: Any) -> Any:
    fields = self.fields
    turns = (input_shape[1],) if fields["return_sequences"] else ()
    whole = (input_shape[0], *turns, fields["units"])
    state = (input_shape[0], fields["units"])
    return [whole, *[state] * fields["_states"]] if fields["return_state"] else whole


def _recurrent(name: str, step: Step, gates: int, states: int = 1) -> UserClass:
    kind = layer_class(name, _init(gates, states), _call(step), _shape, _build)
    more = methods(name, reset_states=reset_states, reset_state=reset_states)
    return UserClass(name, LAYER, {**kind.members, **more}, origin="library")


RECURRENT = {
    "SimpleRNN": _recurrent("SimpleRNN", _simple_step, 1),
    "GRU": _recurrent("GRU", _gru_step, 3),
    "LSTM": _recurrent("LSTM", _lstm_step, 4, states=2),
    "SimpleRNNCell": _cell("SimpleRNNCell", _simple_step, 1),
    "GRUCell": _cell("GRUCell", _gru_step, 3),
    "LSTMCell": _cell("LSTMCell", _lstm_step, 4, states=2),
}
