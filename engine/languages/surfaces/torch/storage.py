"""The memory of a tensor, shared by its views: a value of the graph, or a variable that training changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import ops
from engine.execution.eager.immediate import value_of
from engine.graph import Variable
from engine.languages.surfaces.torch.dtypes import DType
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.state import is_inference, state, state_or_none
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import COMPLEX, Array
from engine.ops.common.casting import cast_op, with_digits
from engine.ops.sources.state import assign

BFLOAT16_DIGITS = 8  # binary, of each number


def rounded(value: Any) -> Any:
    """A value of the graph, of float32, as bfloat16 has its numbers. Shapes: (*S) -> (*S)."""
    return cast_op(value, DstT="float32", digits=BFLOAT16_DIGITS)


def cast_value(value: Any, dtype: str) -> Any:
    """A value of the graph with another element type, of which complex numbers keep their real part."""
    if value.dtype == dtype:
        return value
    if dtype in COMPLEX:
        return cast_op(value, DstT=dtype)
    return ops.cast(ops.real(value) if value.dtype in COMPLEX else value, dtype)


@dataclass(frozen=True, slots=True)
class Step:
    """One step from a tensor to a view of it.

    of_value: the view of a tensor of the graph; of_array: the same of an array, without a graph.
    function: the function of views whose step it is.
    """

    of_value: Callable[[Any], Any]
    of_array: Callable[[Array], Array]
    function: Any = None


def places_in(shape: tuple[int, ...], steps: Sequence[Step]) -> Array:
    """Where the elements of a view lie, counted through its base. Shapes: (*S) -> (*P)."""
    places = np.arange(np.prod(shape, dtype=np.int64), dtype=np.int32).reshape(shape)
    for step in steps:
        places = step.of_array(places)
    return places


def rounded_array(array: Array) -> Array:
    """The same of an array."""
    return with_digits(array.astype("float32"), BFLOAT16_DIGITS)


class Version:
    """How often a tensor was changed in place; its views and `detach()` share the count."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


class Storage:
    """Memory that tensors share.

    array:    the value of a tensor that no function has used yet: it has no node so far.
    variable: the variable of the graph that holds it, where gradients with respect to it may be asked for.
    later:    whether there will be one when the value is first read, so that its first value is that of then.
    is_inference: whether it was made inside of `torch.inference_mode`.
    levels:   the transformations of `torch.func` inside of which it was made.
    element:  the type of its numbers where numpy has none: bfloat16, which arrays of float32 hold.
    writes:   how often it was written, so that a view knows when to look again.
    bits_read: whether its bits were read as numbers of another type (`x.view(torch.int32)`): both are kept
              apart here, so neither may be written.
    turn:     the turn of the graph that made the present value.
    """

    __slots__ = (
        "_variable",
        "array",
        "bits_read",
        "element",
        "is_inference",
        "later",
        "levels",
        "place",
        "shared",
        "turn",
        "value",
        "writes",
    )

    def __init__(self, *, array: Array | None = None, value: Any = None) -> None:
        self.array = array
        self.value = value
        self.element: DType | None = None
        self._variable: Variable | None = None
        self.later = False
        self.writes = 0
        self.bits_read = False
        self.shared: Array | None = None  # an array of numpy on the same memory
        self.turn = 0 if value is None else state().graph.turn_number
        self.place = None if value is not None else _here()
        self.is_inference = is_inference()
        now = state_or_none()
        self.levels = () if now is None else now.levels

    @property
    def variable(self) -> Variable | None:
        """The variable that holds the memory now."""
        held = self._variable
        if held is not None and held.ref.node.outputs[0] is not held.ref:
            held = self._variable = renewed(held)
        return held

    @variable.setter
    def variable(self, variable: Variable | None) -> None:
        self._variable = variable

    def read(self) -> Any:
        """The present value as a tensor of the graph."""
        if self.shared is not None:
            self.look_at_numpy()
        if self.later:
            self.make_variable()
        held = self.variable
        if held is not None:
            return held.read
        if self.value is None:
            array = np.asarray(self.array)
            self.value = self._at_its_place(lambda: state().graph.data_constant(array))
            self.turn = state().graph.turn_number
        return self.value

    def present(self) -> Array:
        """The present value as an array, without a node for it."""
        if self.variable is not None or self.shared is not None:
            state().graph.look()
            return self.form()
        return np.asarray(self.array) if self.value is None else self.value.array

    def form(self) -> Array:
        """The same for those who look at its shape and its type alone."""
        if self.shared is not None:
            self.look_at_numpy()
        held = self.variable
        if held is not None:
            return value_of(held.ref)  # type: ignore[no-any-return]
        return np.asarray(self.array) if self.value is None else value_of(self.value)

    def write(self, new: Any) -> None:
        """Take another value, a tensor of the graph."""
        if self.bits_read:
            raise _bits_are_shared()
        self.writes += 1
        if self.element is not None:
            new = rounded(new)
        if self.variable is not None:
            graph = state().graph
            phase = graph.phase if graph.phase not in ("forward", "after") else _phase_of_update()
            with graph.making(phase) if phase != graph.phase else nullcontext():
                assign(self.variable.ref, new)
        else:
            self.hold(new)
        if self.shared is not None:
            np.copyto(self.shared, self._whole())
        state().graph.after_update()

    def hold(self, value: Any) -> None:
        """Have this value, a tensor of the graph."""
        self.value, self.array = value, None
        self.turn = state().graph.turn_number

    @property
    def is_held(self) -> bool:
        """Whether a variable holds the memory, or will from its first read on."""
        return self.later or self._variable is not None

    def move_to(self, other: Storage) -> None:
        """Let other memory have the variable, with the value that it has; this one keeps its own."""
        if self.variable is None:
            self.later, other.later = False, True
            return
        before, new = self.read(), other.read()
        self.write(new)
        other.variable, self.variable = self.variable, None
        other.writes += 1
        self.hold(before)

    def make_variable(self, *, trainable: bool = True) -> None:
        """Hold the value in a variable from here on."""
        self.later = False
        if self.variable is not None:
            return
        self._take_given_value()
        initial, variables = self.present(), state().graph.variables

        def make() -> Variable:
            return variables.make(initial, trainable=trainable)

        self.variable = self._at_its_place(make) if self.value is None else make()

    def _take_given_value(self) -> None:
        """Begin with the number that the request gives for it, where it does."""
        given = state().first_values
        array = None if given is None else given.of_memory(self)
        if array is not None:
            self.array, self.value = array, None

    def share_with(self, array: Array) -> None:
        """Let an array of numpy show the same memory: what changes one changes the other."""
        self.shared = array

    def look_at_numpy(self) -> None:
        """Take over what a program has changed through numpy."""
        if self.shared is not None and self.is_behind():
            shared, self.shared = self.shared, None
            self.write(constant_node(shared.copy(), "Const"))
            self.shared = shared

    def is_behind(self) -> bool:
        """Whether a program has changed the memory through numpy since somebody has looked."""
        shared, self.shared = self.shared, None
        try:
            return shared is not None and not np.array_equal(
                shared, self.form(), equal_nan=shared.dtype.kind == "f"
            )
        finally:
            self.shared = shared

    def _whole(self) -> Array:
        shared, self.shared = self.shared, None
        try:
            return self.present()
        finally:
            self.shared = shared

    def _at_its_place(self, make: Callable[[], Any]) -> Any:
        """What is made, as from the line where the tensor was made."""
        if self.place is None:
            return make()
        graph = state().graph
        graph.come_by()  # a turn that begins here begins before what is made for it
        outer = _here()
        graph.go_back(self.place)
        try:
            return make()
        finally:
            graph.go_back(outer)


def _bits_are_shared() -> Exception:
    return not_here(
        "Changing memory that x.view(dtype) reads as numbers of another type",
        "修改被 x.view(dtype) 当作另一种类型读取的内存",
        hint="Write x.view(dtype).clone() and change that one.",
        hint_zh="请写 x.view(dtype).clone()，再修改它。",
    )


RENEWED = "variables gone over"  # the part of a run that holds what came after each of them


def renewed(variable: Variable) -> Variable:
    """A variable whose node a later turn of a loop has taken for another one, as another with its value.

    A loop goes over the nodes of its earlier turns, those of models among them; but a program may have kept
    such a model, and train it further.
    """
    after: dict[Variable, Variable] = state().parts.setdefault(RENEWED, {})
    while variable.is_gone_over:
        if variable not in after:
            after[variable] = Variable(np.array(value_of(variable.ref)), trainable=variable.trainable)
        variable = after[variable]
    return variable


def _here() -> Any:
    graph = state().graph
    return graph.place, graph.here().span


def _phase_of_update() -> str:
    return "update" if state().workspace.gradient_calls else "forward"
