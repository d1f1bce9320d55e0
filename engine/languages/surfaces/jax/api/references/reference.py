"""References: cells that hold an array and are written in place, as `jax.new_ref` makes them.

A cell belongs to the trace in which it was made. A function that is traced by jit gets a cell of its own for
each one from outside, whose first array is an argument and whose last one is a result (`StagingTrace.cells`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, Items
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.surfaces.jax.api.calling import class_text, is_array
from engine.languages.surfaces.jax.core.avals import Aval, element_type
from engine.languages.surfaces.jax.core.batching import BatchTrace
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import run_now, written_otherwise
from engine.languages.surfaces.jax.core.staging import StagingTrace
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    aval_of,
    constant,
    known,
    undrawn,
)
from engine.languages.surfaces.jax.lax.basics import convert
from engine.languages.surfaces.jax.lax.scattering import scatter_add_p, scatter_p
from engine.languages.surfaces.jax.numpy.indexing.putting import put
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem


class Ref:
    """A cell. value: the array in it; trace: in which it was made; is_written: whether it changed since."""

    __slots__ = ("is_written", "trace", "value")

    def __init__(self, value: Any) -> None:
        self.value = undrawn(value) if isinstance(value, Constant) else value
        self.trace = run_now().trace
        self.is_written = False
        written_otherwise("new_ref")

    @property
    def aval(self) -> Aval:
        """The type of its array."""
        return aval_of(self.value)

    def text(self) -> str:
        """As JAX prints it: `Ref([0., 0.], dtype=float32)`, and its type alone while a function is traced."""
        if isinstance(self.value, JaxArray):
            return "Ref" + to_repr(self.value).removeprefix("Array")
        return f"Ref{{{self.aval.long()}}}"

    def here(self) -> Ref:
        """The cell that stands for it in the function that is traced now."""
        trace = run_now().trace
        if trace is self.trace or not isinstance(trace, StagingTrace):
            return self
        if not trace.takes_cells:
            raise _no_body()
        if id(self) not in trace.cells:
            inner = Ref(trace.argument(Aval(self.aval.shape, self.aval.dtype)))
            trace.cells[id(self)] = (self, inner)
        found: Ref = trace.cells[id(self)][1]
        return found


SHOWN[Ref] = (Ref.text, Ref.text)
MEMBERS = members_of(Ref, "Ref")
MEMBERS.fact("shape")(lambda cell: cell.aval.shape)
MEMBERS.fact("dtype")(lambda cell: element_type(cell.aval.dtype))
MEMBERS.fact("ndim")(lambda cell: cell.aval.ndim)
MEMBERS.fact("size")(lambda cell: cell.aval.size)


def new_ref(init_val: Any) -> Ref:
    """A reference to a copy of an array."""
    if not is_array(init_val):
        said = (
            "Error interpreting argument to new_ref as a JAX value. The problematic value is of type "
            f"{class_text(init_val)} and was passed to new_ref at position 0."
        )
        raise type_error(
            said, "new_ref 需要数组。", "Give an array: jax.new_ref(jnp.array([1.0, 2.0])).", "请给出数组。"
        )
    return Ref(constant(init_val))


def _cell(ref: Any) -> Ref:
    if isinstance(ref, Ref):
        return ref
    raise type_error(
        f"A reference is needed here, but got {class_text(ref)}.",
        f"这里需要引用，但得到 {class_text(ref)}。",
        "Make one: ref = jax.new_ref(x).",
        "请先创建：ref = jax.new_ref(x)。",
    )


def read(ref: Any, idx: Any = ...) -> Any:
    """`ref[idx]`."""
    cell = _cell(ref).here()
    if idx is Ellipsis:
        return cell.value
    _shape_at(cell, idx)
    return getitem(cell.value, idx)


def write(ref: Any, idx: Any, value: Any) -> None:
    """`ref[idx] = value`."""
    swap(ref, idx, value)


def swap(ref: Any, idx: Any, value: Any) -> Any:
    """Write, and give what was there before."""
    cell, new = _cell(ref).here(), _fitting(ref, idx, value, "swap")
    before = read(cell, idx)
    _store(cell, new if idx is Ellipsis else None, scatter_p, idx, new)
    return before


def add_update(ref: Any, idx: Any, x: Any) -> None:
    """`ref[idx] += x`, also where idx names a place several times."""
    cell, new = _cell(ref).here(), _fitting(ref, idx, x, "addupdate")
    _store(cell, None, scatter_add_p, idx, new)


def freeze(ref: Any) -> Any:
    """The array that a reference holds at last."""
    return _cell(ref).here().value


def _store(cell: Ref, whole: Any, primitive: Any, idx: Any, new: Any) -> None:
    """Put an array into a cell, in the trace that the cell belongs to."""
    check_inside(cell, new)
    with run_now().under(cell.trace):
        made = put(primitive, cell.value, idx, new) if whole is None else whole
    cell.value = undrawn(made) if isinstance(made, Constant) else made
    cell.is_written = True


def _fitting(ref: Any, idx: Any, value: Any, name: str) -> Any:
    """A value that is to be written. Raises: ValueError where its type or shape is not that of the place."""
    if not is_array(value):
        said = f"Argument '{to_repr(value)}' of type '{class_text(value)}' is not a valid JAX type"
        raise type_error(said, "写入引用的值必须是数组或数字。")
    cell, new = _cell(ref).here(), constant(value)
    have, given = cell.aval, aval_of(new)
    if given.dtype != have.dtype:
        raise value_error(
            f"Invalid dtype for `{name}`. Ref dtype: {have.dtype}. Value dtype: {given.dtype}. ",
            f"引用的类型是 {have.dtype}，写入的值是 {given.dtype}。",
            f"Convert it first: x.astype({have.dtype!r}); write 1.0, not 1, into floats.",
            f"请先转换：x.astype({have.dtype!r})；浮点数应写成 1.0 而不是 1。",
        )
    wanted = have.shape if idx is Ellipsis else _shape_at(cell, idx)
    if given.shape != wanted:
        raise value_error(
            f"Invalid shape for `{name}`. Ref shape: {have.shape}. Expected shape: {wanted}. Value shape: "
            f"{given.shape}. ",
            f"这个位置的形状是 {wanted}，写入的值是 {given.shape}：写入引用时不广播。",
            f"Give a value of this shape: jnp.full({wanted}, v).",
            f"请给出同样形状的值：jnp.full({wanted}, v)。",
        )
    return convert(new, have.dtype) if isinstance(run_now().trace, StagingTrace) else new


def _shape_at(cell: Ref, idx: Any) -> tuple[int, ...]:
    """The shape of a place. Raises: ValueError where it lies outside."""
    shape = cell.aval.shape
    parts = [_as_numbers(part) for part in (idx if isinstance(idx, tuple) else (idx,))]
    at = 0
    for number, part in enumerate(parts):
        if part is Ellipsis:
            at = len(shape) - (len(parts) - number - 1)
            continue
        if type(part) is int and at < len(shape) and not -shape[at] <= part < shape[at]:
            said = f"Out of bound indexer: idx={part}, dim={shape[at]}."
            raise value_error(said, f"下标 {part} 超出长度 {shape[at]}。", code="bad_index")
        at += 1
    if at > len(shape) or any(isinstance(part, np.ndarray) and part.dtype == bool for part in parts):
        raise value_error(
            f"A reference of shape {shape} is not subscripted by {to_repr(idx)}.",
            f"形状为 {shape} 的引用不能用 {to_repr(idx)} 作下标。",
            code="bad_index",
        )
    found: tuple[int, ...] = np.broadcast_to(np.int8(0), shape)[tuple(parts)].shape
    return found


def _as_numbers(part: Any) -> Any:
    """A part of a subscript for numpy: a place that is not known yet is the first one."""
    if isinstance(part, (Tracer, JaxArray, Constant, np.ndarray)):
        array = known(part) if not isinstance(part, np.ndarray) else part
        if array is None:
            return np.zeros(aval_of(part).shape, int)
        return array if array.dtype == bool else np.zeros(array.shape, int)
    return np.asarray(part) if isinstance(part, list) else part


def check_inside(cell: Ref, new: Any) -> None:
    """Raises: Exception where what a transformation computes with would leave its function by a cell."""
    here = run_now().trace
    if cell.trace is here:
        return
    batched = _is_in_batch(here, cell.trace)
    if not batched and (not isinstance(new, Tracer) or new.trace is cell.trace):
        return
    what = "vmapped value on an unbatched" if batched else "a differentiated value on a non-differentiated"
    where = "to the vmapped function" if batched else "of the differentiated function"
    said = (
        f"performing a set/swap operation with {what} array reference of type "
        f"Ref{{{cell.aval.long()}}}. Move the array reference to be an argument {where}?"
    )
    raise ProgramError(
        said,
        message_zh="函数外的引用不能写入由 vmap 或 grad 变换中的值。",
        hint="Make the reference inside of the function, or give it to the function as an argument.",
        hint_zh="请在函数内创建引用，或把它作为参数传入。",
        code="bad_value",
        kind="Exception",
        said=said,
    )


def _is_in_batch(trace: Any, outside: Any) -> bool:
    """Whether a trace works on one of many examples, which are not one by one in the trace outside of it."""
    while trace is not None and trace is not outside:
        if isinstance(trace, BatchTrace):
            return True
        trace = getattr(trace, "parent", None)
    return False


def _no_body() -> ProgramError:
    """The refusal of a reference from outside where only jit is followed."""
    return ProgramError(
        "A reference from outside is not read or written here in the body of a loop, a branch, or a function "
        "that is traced by other than jit.",
        message_zh="这里不能在循环体、分支或 jit 以外被追踪的函数中读写外面的引用。",
        hint="Carry the array on: jax.lax.scan(step, x, xs), and write the reference after it.",
        hint_zh="请把数组传下去：jax.lax.scan(step, x, xs)，之后再写入引用。",
        code="unsupported",
    )


ITEMS[Ref] = Items(read, lambda ref, key, value: write(ref, key, value), count=lambda ref: _length(ref))


def _length(ref: Ref) -> int:
    if ref.aval.ndim:
        return int(ref.aval.shape[0])
    raise type_error("len() of unsized object", "0 维的引用没有长度。")
