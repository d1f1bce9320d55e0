"""The variables of a layer, which Keras names by the layer and by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.errors import ProgramError, ShapeError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.arguments import weight_arguments
from engine.languages.surfaces.keras.fitting.constraints import constraint_named
from engine.languages.surfaces.keras.fitting.regularizers import regularizer_named
from engine.languages.surfaces.keras.named import initializer_named
from engine.languages.surfaces.tensors import written_shape
from engine.languages.surfaces.tf2.variables import EagerVariable
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_numbers, written
from engine.ops.base.tensors import Tensor


class KerasVariable(EagerVariable):
    """A layer's variable, which Keras names by the layer and by itself."""

    __slots__ = ("constraint", "is_frozen", "path", "regularizer")
    __hash__ = object.__hash__
    is_frozen: bool  # by its layer, or by itself: an optimizer leaves it, a tape watches it all the same
    path: str
    regularizer: Any
    constraint: Any


VARIABLE = members_of(KerasVariable, "Variable")
VARIABLE.fact("name")(lambda variable: variable.given_name)
VARIABLE.fact("dtype")(lambda variable: variable.dtype)
VARIABLE.fact("ndim")(lambda variable: len(variable.shape))
VARIABLE.fact("path")(lambda variable: variable.path)
VARIABLE.fact("trainable")(lambda variable: variable.trainable and not variable.is_frozen)


def freeze(variable: KerasVariable, trainable: Any) -> None:
    """Whether it is trained from now on."""
    variable.is_frozen = not trainable


VARIABLE.settable["trainable"] = freeze


def _variable_text(variable: KerasVariable) -> str:
    shape = written_shape(variable.shape)
    return f"<Variable path={variable.path}, shape={shape}, dtype={variable.dtype}, value={variable.array}>"


SHOWN[KerasVariable] = (_variable_text, _variable_text)


def counted_name(interpreter: Interpreter, kind: str) -> str:
    """`dense`, then `dense_1`: Keras counts the layers of a kind, wherever they are made."""
    counts = interpreter.workspace.layer_kinds
    counts[kind] += 1
    return kind if counts[kind] == 1 else f"{kind}_{counts[kind] - 1}"


def add_weight(
    interpreter: Interpreter,
    self: UserObject,
    *given: Any,
    shape: Any = None,
    initializer: Any = None,
    dtype: Any = None,
    trainable: Any = None,
    name: Any = None,
    regularizer: Any = None,
    constraint: Any = None,
) -> KerasVariable:
    """A variable of the layer; left out, its first value is Glorot's."""
    named = {"shape": shape, "initializer": initializer, "dtype": dtype, "trainable": trainable}
    named |= {"name": name, "regularizer": regularizer, "constraint": constraint}
    settings = _limits(self, name) | weight_arguments(given, named)
    rule = initializer_named(interpreter, settings.get("initializer", "glorot_uniform"))
    lengths = tuple(int(length) for length in whole_numbers(settings.get("shape", ()), "shape").reshape(-1))
    interpreter.budget.check_elements(list(lengths))
    own = settings.get("name") or counted_name(interpreter, "variable")
    kind = dtype_name(settings.get("dtype") or "float32") or "float32"
    made = KerasVariable(
        lambda: _first(rule, lengths, kind), name=own, trainable=bool(settings.get("trainable", True))
    )
    made.given_name, made.path = own, f"{_path_of(interpreter, self)}/{own}"
    made.is_frozen = self.fields.get("trainable", True) is False
    made.regularizer = regularizer_named(settings.get("regularizer"))
    made.constraint = constraint_named(settings.get("constraint"))
    self.fields["_weights"].append(made)
    return made


def variable(
    interpreter: Interpreter,
    initializer: Any,
    shape: Any = None,
    dtype: Any = None,
    trainable: Any = True,
    name: Any = None,
) -> KerasVariable:
    """`keras.Variable`: a variable of its own, with a value or with a rule for its first one and a shape."""
    own = name or counted_name(interpreter, "variable")
    if isinstance(initializer, str) or callable(initializer) or isinstance(initializer, UserFunction):
        if shape is None:
            raise _no_shape(initializer)
        rule = initializer_named(interpreter, initializer)
        lengths = tuple(int(length) for length in whole_numbers(shape, "shape").reshape(-1))
        interpreter.budget.check_elements(list(lengths))
        kind = dtype_name(dtype or "float32") or "float32"
        made = KerasVariable(lambda: _first(rule, lengths, kind), name=own, trainable=bool(trainable))
    else:
        value = convert_to_tensor(initializer)
        value = value if dtype is None else ops.cast(value, dtype_name(dtype) or "float32")
        made = KerasVariable(lambda: value, name=own, trainable=bool(trainable))
    made.given_name = made.path = own
    made.is_frozen, made.regularizer, made.constraint = False, None, None
    return made


def _no_shape(initializer: Any) -> ProgramError:
    shown = initializer if isinstance(initializer, str) else "a function"
    return ProgramError(
        "When creating a Variable from an initializer, the `shape` argument should be specified. "
        f"Received: initializer={shown} and shape=None",
        message_zh="用初始化方法创建 Variable 时需要给出 `shape`。",
        hint="Write shape=(2, 3), or give a value.",
        hint_zh="请写 shape=(2, 3)，或直接给出数值。",
        code="wrong_arguments",
        kind="ValueError",
    )


def _limits(self: UserObject, name: Any) -> dict[str, Any]:
    """What the layer was given for one of its variables: `kernel_regularizer`, `recurrent_constraint`."""
    part = name.removesuffix("_kernel") if isinstance(name, str) else ""
    given = self.fields.get("_limits", {})
    return {kind: given.get(f"{part}_{kind}") for kind in ("regularizer", "constraint")}


def _path_of(interpreter: Interpreter, layer: UserObject) -> str:
    """The names of the layers that are being called, down to this one: `net/dense`."""
    around = [one for one in interpreter.workspace.open_layers if one is not layer]
    return "/".join(one.fields["name"] for one in [*around, layer])


def _first(rule: Callable[..., Any], lengths: tuple[int, ...], kind: str) -> Tensor:
    """A variable's first value. Raises: ShapeError where the rule gives one of another shape."""
    value = convert_to_tensor(rule(lengths, kind))
    if value.shape != lengths:
        raise ShapeError(
            f"The initializer was to give the shape {written(lengths)}, but gave {written(value.shape)}.",
            message_zh=f"初始化方法应给出形状 {written(lengths)}，却给出了 {written(value.shape)}。",
        )
    return value
