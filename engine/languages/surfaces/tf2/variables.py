"""TensorFlow 2's variables: a value from the start, and assignments that take effect at once."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError
from engine.graph import Tensor, Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import PYTHON_NAMES, a_kind, type_name
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tensors import written_shape
from engine.languages.surfaces.tf1.functions.arrays import plain
from engine.languages.surfaces.tf1.variables import CALLED, check_is_given, chosen_value
from engine.languages.surfaces.tf2.eager import EagerShape, leave_the_tape, numpy_repr
from engine.languages.surfaces.tf2.functions.traced import outside
from engine.languages.surfaces.unsupported import CONSTRAINT, refuse_given
from engine.ops.arrays import scattering
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import OpDef
from engine.ops.base.shapes import written
from engine.ops.base.slices import IndexedSlices
from engine.ops.sources import state


class EagerVariable(Variable):
    """A variable whose present value can be read; `given_name` is what the program called it.

    unread: the same variable as its assignments give it, which TensorFlow calls UnreadVariable; made with the
    first of them.
    """

    __slots__ = ("given_name", "unread")
    __hash__ = object.__hash__
    given_name: str
    unread: EagerVariable | None

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self.unread = None
        with outside():  # a variable is no part of a function that makes it
            super().__init__(*arguments, **settings)

    @property
    def shown_name(self) -> str:
        """Its name with the number of the output."""
        return UNREAD if self.unread is self else f"{self.given_name}:0"

    @property
    def array(self) -> Any:
        """The value."""
        return self.ref.array  # type: ignore[attr-defined]  # a tensor of an eager graph

    @property
    def assigned(self) -> EagerVariable:
        """What an assignment gives: the same variable under another name."""
        if self.unread is None:
            self.unread = copy(self)
            self.unread.unread = self.unread
        return self.unread

    def refuse_in_place(self) -> None:
        """What `variable += value` gives in TensorFlow 2. Raises: ProgramError, always."""
        raise ProgramError(
            f"`+=` and its like are not supported for the tf.Variable {self.given_name}.",
            hint="Write variable.assign_add(…) to change it, or out = variable + … for a new tensor.",
            message_zh="tf.Variable 不支持 `+=` 之类的写法。",
            hint_zh="要修改变量请写 variable.assign_add(…)；要得到新的张量请写 out = variable + …。",
            code="variable_in_place",
        )


UNREAD = "UnreadVariable"
PYTHON_NAMES[EagerVariable] = lambda one: "_UnreadVariable" if one.unread is one else "ResourceVariable"
VARIABLE = members_of(EagerVariable, "Variable")
VARIABLE.fact("shape")(lambda variable: EagerShape(variable.shape))
VARIABLE.fact("dtype")(lambda variable: DType(variable.dtype))
VARIABLE.fact("name")(lambda variable: variable.shown_name)
VARIABLE.fact("trainable")(lambda variable: variable.trainable)
VARIABLE.fact("device")(lambda variable: variable.node.device)
VARIABLE.method("get_shape")(lambda variable: EagerShape(variable.shape))
VARIABLE.method("value", "read_value")(lambda variable: variable.read)


def _refused(what: str, what_zh: str) -> Any:
    def refuse(value: Any) -> Any:
        raise ProgramError(
            f"A TensorFlow 2 variable has no {what}: it has its value from the start.",
            message_zh=f"TensorFlow 2 的变量没有{what_zh}：它一开始就有值。",
            hint="Read it with .numpy().",
            hint_zh="用 .numpy() 读取它的值。",
            code="eager_variable",
        )

    return refuse


VARIABLE.fact("initializer")(_refused("initializer", "初始化运算"))
VARIABLE.method("eval")(_refused("eval", " eval "))
VARIABLE.method("initialized_value")(_refused("initialized_value", " initialized_value "))


def variable(
    interpreter: Interpreter,
    initial_value: Any = None,
    trainable: Any = None,
    validate_shape: Any = True,
    caching_device: Any = None,
    name: Any = None,
    variable_def: Any = None,
    dtype: Any = None,
    import_scope: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
    shape: Any = None,
) -> EagerVariable:
    """A value that training changes."""
    check_is_given(initial_value)
    refuse_given("Variable", {"constraint": constraint}, *CONSTRAINT)
    if isinstance(initial_value, CALLED):
        initial_value = interpreter.call(initial_value, [], {})
    value = chosen_value(interpreter, _listed(initial_value), name)
    trainable = True if trainable is None else bool(trainable)
    made = EagerVariable(plain(value), dtype=dtype_name(dtype), name=name, trainable=trainable)
    made.given_name = interpreter.workspace.name_scope + (name or "Variable")
    return made


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, range) else value


@VARIABLE.method("numpy")
def numpy(interpreter: Interpreter, variable: EagerVariable) -> Any:
    """The value as a numpy array, or a number where there are no axes."""
    leave_the_tape(interpreter, variable)
    return variable.array[()] if variable.array.ndim == 0 else np.array(variable.array)


def _write(interpreter: Interpreter, op: OpDef, variable: Variable, value: Any) -> Variable:
    tensor = convert_to_tensor(value, dtype=variable.dtype)
    if tensor.shape != variable.shape:
        error = _other_shape(variable, tensor)
        if op is not state.assign:
            error.kind, error.said = "InvalidArgumentError", None
        raise error
    phase = "update" if interpreter.workspace.gradient_calls else "forward"
    with variable.graph.making(phase):
        op(variable.ref, tensor)
    return _assigned(interpreter, variable)


def _assigned(interpreter: Interpreter, variable: Variable) -> Variable:
    """What an assignment gives: the variable under another name, outside of a function that is traced."""
    is_traced = interpreter.staging is not None or not isinstance(variable, EagerVariable)
    return variable if is_traced else variable.assigned  # type: ignore[attr-defined]  # eager


def _other_shape(variable: Variable, tensor: Tensor) -> ShapeError:
    wanted, given = written(variable.shape), written(tensor.shape)
    return ShapeError(
        f"The variable {variable.node.name} has the shape {wanted}, but the value has {given}.",
        hint="A variable keeps its shape; reshape the value, or make another variable.",
        message_zh=f"变量 {variable.node.name} 的形状是 {wanted}，但值的形状是 {given}。",
        hint_zh="变量的形状不能改变；请改变值的形状，或创建另一个变量。",
        kind="ValueError",
        said=f"Cannot assign value to variable ' {variable.name}': Shape mismatch.The variable shape "
        f"{wanted}, and the assigned value shape {given} are incompatible.",
    )


def _method(op: OpDef) -> Any:
    def assign(
        interpreter: Interpreter,
        variable: Variable,
        value: Any,
        use_locking: Any = False,
        name: Any = None,
        read_value: Any = True,
    ) -> Variable:
        return _write(interpreter, op, variable, value)

    return assign


def _method_by_difference(op: OpDef) -> Any:
    def assign(
        interpreter: Interpreter,
        variable: Variable,
        delta: Any,
        use_locking: Any = False,
        name: Any = None,
        read_value: Any = True,
    ) -> Variable:
        return _write(interpreter, op, variable, delta)

    return assign


def indexed_slices(values: Any, indices: Any, dense_shape: Any = None) -> IndexedSlices:
    """Rows for the places that `indices` names, as `scatter_update` takes them."""
    shape = None if dense_shape is None else convert_to_tensor(dense_shape)
    return IndexedSlices(convert_to_tensor(values), convert_to_tensor(indices), shape)


def _scattered(op: OpDef) -> Any:
    def change(
        interpreter: Interpreter, variable: Variable, indices: Any, updates: Any, name: Any = None
    ) -> Variable:
        places = convert_to_tensor(indices)
        return _change_rows(interpreter, op, variable, places, updates)

    return change


def _scattered_rows(op: OpDef) -> Any:
    def change(
        interpreter: Interpreter,
        variable: Variable,
        sparse_delta: Any,
        use_locking: Any = False,
        name: Any = None,
    ) -> Variable:
        if not isinstance(sparse_delta, IndexedSlices):
            given, given_zh = a_kind(sparse_delta), type_name(sparse_delta)
            raise ProgramError(
                f"`sparse_delta` takes tf.IndexedSlices(values, indices), not {given}.",
                message_zh=f"`sparse_delta` 需要 tf.IndexedSlices(values, indices)，不能是 {given_zh}。",
                code="bad_value",
            )
        return _change_rows(interpreter, op, variable, sparse_delta.indices, sparse_delta.values)

    return change


def _change_rows(
    interpreter: Interpreter, op: OpDef, variable: Variable, indices: Any, updates: Any
) -> Variable:
    phase = "update" if interpreter.workspace.gradient_calls else "forward"
    with variable.graph.making(phase):
        op(variable.ref, indices, convert_to_tensor(updates, dtype=variable.dtype))
    return _assigned(interpreter, variable)


for _word in ("update", "add", "sub"):
    VARIABLE.method(f"scatter_nd_{_word}")(_scattered(getattr(scattering, f"scatter_nd_{_word}")))
for _word in ("update", "add", "sub", "mul", "div"):
    VARIABLE.method(f"scatter_{_word}")(_scattered_rows(getattr(scattering, f"scatter_{_word}")))
VARIABLE.method("assign")(_method(state.assign))
VARIABLE.method("assign_add")(_method_by_difference(state.assign_add))
VARIABLE.method("assign_sub")(_method_by_difference(state.assign_sub))


def _shown(variable: EagerVariable) -> str:
    return (
        f"<tf.Variable '{variable.shown_name}' shape={written_shape(variable.shape)} "
        f"dtype={variable.dtype}, numpy={numpy_repr(variable.array)}>"
    )


SHOWN[EagerVariable] = (_shown, _shown)
