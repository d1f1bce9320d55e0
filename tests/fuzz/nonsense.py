"""Calls of every function that programs call, right but for one argument, which is nonsense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.languages.interpreter.attributes import TABLES
from engine.languages.interpreter.callables import Native, Signature
from engine.languages.interpreter.values import Module

NONSENSE = (
    "None",
    "'text'",
    "{'a': 1}",
    "[[1.0], 2.0]",
    "-7",
    "2.5",
    "(lambda q: q)",
    "tf.nn",
    "[None]",
    "tf.constant([1.0, 2.0])",
)

MATRIX = "tf.constant([[4.0, 1.0], [1.0, 3.0]])"
PLACES = "tf.constant([0, 1])"
TRUTHS = "tf.constant([True, False])"


def _named(value: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), value)


# What fits a parameter of this name; a matrix fits the others.
FITTING: Mapping[str, str] = {
    **_named("0", "axis dim dimension reduction_indices squeeze_dims seed"),
    **_named("tf.float32", "dtype tensor_dtype output_dtype"),
    **_named("'n'", "name key op_type name_or_scope mode"),
    **_named("0.1", "learning_rate initial_learning_rate decay_rate delta clip_norm clip_value_min scalar"),
    **_named("0.1", "clip_value_max keep_prob ord epsilon variance_epsilon start stop pos_weight"),
    **_named("[2, 2]", "shape dims x_shape y_shape"),
    **_named("2", "num num_segments k depth num_rows num_or_size_splits decay_steps first_decay_steps"),
    **_named("2", "num_samples units batch_size buffer_size count index num_lower num_upper limit shift"),
    **_named(PLACES, "indices ids segment_ids targets"),
    **_named("tf.Variable([[1.0, 2.0], [3.0, 4.0]])", "ref var variable"),
    **_named("[tf.ones([2]), tf.zeros([2])]", "values t_list tensors inputs"),
    **_named("(lambda *a: a[0])", "fn f func body map_func"),
    **_named("(lambda: x)", "true_fn false_fn default"),
    **_named("x", "loss target sources source xs fetches"),
    **_named("[x]", "node_list eval_node_list grads trainable_variables"),
    "axes": "1",
    "begin": "[0, 0]",
    "boundaries": "[1, 5]",
    "cond": "(lambda *a: a[0] < 0.0)",
    "condition": TRUTHS,
    "constant_values": "1.0",
    "device_name_or_function": "'/cpu:0'",
    "equation": "'ij,jk->ik'",
    "feed_dict": "{}",
    "global_step": "tf.constant(1)",
    "grads_and_vars": "[(x, x)]",
    "loop_vars": "[tf.constant(0.0)]",
    "mask": TRUTHS,
    "multiples": "[1, 2]",
    "op_type_map": "{}",
    "paddings": "[[1, 1], [1, 1]]",
    "perm": "[1, 0]",
    "pred": "tf.constant(True)",
    "pred_fn_pairs": "[(tf.constant(True), lambda: x)]",
    "sess": "sess",
    "size": "[1, 1]",
    "var_list": "[x]",
    "ys": "x * x",
}
# Where one of these names means something else.
FITTING_IN: Mapping[str, Mapping[str, str]] = {
    "Print": {"data": "[x]"},
    "Assert": {"condition": "True", "data": "[x]"},
    "PiecewiseConstantDecay": {"values": "[0.1, 0.2, 0.3]"},
    "TensorArray": {"size": "3"},
    "add_loss": {"loss": "x * x"},
    "assert_near": {"y": MATRIX},
    "assert_rank": {"rank": "2"},
    "assert_rank_at_least": {"rank": "2"},
    "assert_type": {"tf_type": "tf.float32"},
    "check_numerics": {"message": "'m'"},
    "batch_normalization": {"inputs": MATRIX},
    "bias_add": {"bias": "tf.ones([2])"},
    "constant": {"value": "1.0"},
    "cross": {"a": "tf.ones([3])", "b": "tf.ones([3])"},
    "dense": {"inputs": MATRIX},
    "diag": {"diagonal": "tf.ones([2])"},
    "fill": {"value": "1.0"},
    "foldl": {"fn": "(lambda a, b: a)"},
    "foldr": {"fn": "(lambda a, b: a)"},
    "fused_batch_norm": {"x": "tf.ones([1, 2, 2, 2])", "scale": "tf.ones([2])", "offset": "tf.ones([2])"},
    "global_step": {"global_step_tensor": "tf.Variable(1)"},
    "matrix_diag": {"diagonal": "tf.ones([2])"},
    "matvec": {"b": "tf.ones([2])"},
    "piecewise_constant": {"x": "tf.constant(1)", "values": "[0.1, 0.2, 0.3]"},
    "reduce_all": {"input_tensor": TRUTHS},
    "reduce_any": {"input_tensor": TRUTHS},
    "scan": {"fn": "(lambda a, b: a)"},
    "scatter_nd": {"indices": "[[0], [1]]", "updates": "tf.ones([2])", "shape": "[3]"},
    "set_diag": {"diagonal": "tf.ones([2])"},
    "variables_initializer": {"var_list": "[x]"},
}


@dataclass(frozen=True, slots=True)
class Function:
    """A function as a program writes it, and the parameters that the program sees."""

    written: str
    signature: Signature
    is_method: bool = False

    def calls(self, turn: int) -> Iterator[str]:
        """For each parameter a call with one nonsense value; `turn` chooses which."""
        takes = self.signature
        parameters = [*takes.positional[self.is_method :], *takes.keyword_only]
        right = {name: self._fitting(name) for name in parameters if name in takes.required}
        for place, name in enumerate(parameters):
            yield self._call({**right, name: NONSENSE[(turn + place) % len(NONSENSE)]})
        if takes.many_positional:
            yield self._call(right, NONSENSE[turn % len(NONSENSE)])

    def _fitting(self, parameter: str) -> str:
        special = FITTING_IN.get(self.written.rpartition(".")[2], {})
        return special.get(parameter) or FITTING.get(parameter, MATRIX)

    def _call(self, arguments: Mapping[str, str], *more: str) -> str:
        by_position = self.signature.positional[self.is_method :] if more else ()
        first = [arguments[name] for name in by_position if name in arguments]
        named = [f"{name}={value}" for name, value in arguments.items() if name not in by_position]
        return f"{self.written}({', '.join([*first, *more, *named])})"


def functions_of(module: Module, prefix: str = "tf.") -> list[Function]:
    """Each function of a module once, under the shortest of its names. prefix: what the program calls it."""
    shortest: dict[int, tuple[str, Native]] = {}
    for name, native in _natives(module, prefix):
        known = shortest.get(id(native.function))
        if known is None or len(name) < len(known[0]):
            shortest[id(native.function)] = name, native
    return [
        Function(name, native.signature) for name, native in sorted(shortest.values(), key=lambda f: f[0])
    ]


def methods_of(owners: Mapping[str, str]) -> list[Function]:
    """The methods of our types; owners: a value of each, as a program writes it, by the type's name."""
    return [
        Function(f"{owners[kind.__name__]}.{name}", method.signature, is_method=True)
        for kind, table in TABLES.items()
        if kind.__name__ in owners and not table.borrowed
        for name, method in table.methods.items()
    ]


def _natives(module: Module, prefix: str) -> Iterator[tuple[str, Native]]:
    for name, member in module.members.items():
        if isinstance(member, Module):
            yield from _natives(member, f"{prefix}{name}.")
        elif type(member) is Native:
            yield f"{prefix}{name}", member
