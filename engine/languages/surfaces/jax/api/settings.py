"""`jax.config`, `jax.devices`, `jax.debug` and the like: what a program asks of the library itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.formatting import format_value
from engine.languages.interpreter.builtins.strings import TEXT
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.jax.api.calling import as_value, flat_arguments, trees
from engine.languages.surfaces.jax.core.jaxpr import Equation
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, constant, known, undrawn
from engine.languages.surfaces.jax.numpy.operators import KINDS

# -- config ------------------------------------------------------------------------------------------


class Config:
    """`jax.config`."""


CONFIG = members_of(Config, "config")
SHOWN[Config] = (lambda config: "<jax.config>", lambda config: "<jax.config>")


@CONFIG.method("update")
def update(interpreter: Interpreter, config: Config, name: Any, val: Any) -> None:
    """One setting; `jax_enable_x64` decides whether numbers have 64 bits."""
    if name == "jax_enable_x64":
        run_now().x64 = bool(val)
        return
    interpreter.note(
        "ignored_setting",
        f"The setting {name} is accepted and changes nothing here.",
        f"设置 {name} 可以保留，但在这里不起作用。",
    )


CONFIG.fact("jax_enable_x64", "x64_enabled")(lambda config: run_now().x64)


def enable_x64(new_val: Any = True) -> Block:
    """64 bit numbers inside the block."""

    @contextmanager
    def opened() -> Any:
        run = run_now()
        before, run.x64 = run.x64, bool(new_val)
        try:
            yield
        finally:
            run.x64 = before

    return Block(opened)


def disable_jit(interpreter: Interpreter, disable: Any = True) -> Block:
    """Functions of `jax.jit` run each time inside, without being traced; bodies of loops are traced still."""

    @contextmanager
    def opened() -> Any:
        run = run_now()
        before, run.is_jit_disabled = run.is_jit_disabled, bool(disable)
        if disable:
            interpreter.note(
                "bodies_traced",
                "Inside jax.disable_jit(), functions of jax.jit run each time. Bodies of lax.scan, "
                "while_loop, fori_loop and cond are still traced here: a print in them is made once.",
                "在 jax.disable_jit() 内，jax.jit 的函数每次都会真正执行。lax.scan、while_loop、"
                "fori_loop 和 cond 的函数体在这里仍被追踪：其中的 print 只执行一次。",
            )
        try:
            yield
        finally:
            run.is_jit_disabled = before

    return Block(opened)


def named_scope(name: Any) -> Block:
    """A name for what is computed inside: here that changes nothing."""

    @contextmanager
    def opened() -> Any:
        yield

    return Block(opened)


# -- devices -----------------------------------------------------------------------------------------


class Device:
    """The one processor."""


SHOWN[Device] = (lambda device: "cpu:0", lambda device: "CpuDevice(id=0)")
DEVICE = members_of(Device, "Device")
DEVICE.fact("platform")(lambda device: "cpu")
DEVICE.fact("device_kind")(lambda device: "cpu")
DEVICE.fact("id")(lambda device: 0)
CPU = Device()


class OnOneDevice:
    """How an array lies on the devices: whole, on the one that there is."""


_ON_ONE_DEVICE = "SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)"
SHOWN[OnOneDevice] = (lambda sharding: _ON_ONE_DEVICE, lambda sharding: _ON_ONE_DEVICE)
SHARDING = members_of(OnOneDevice, "SingleDeviceSharding")
SHARDING.fact("device_set")(lambda sharding: {CPU})
SHARDING.fact("memory_kind")(lambda sharding: "device")
SHARDING.fact("is_fully_replicated")(lambda sharding: True)
WHOLE = OnOneDevice()
for _kind in KINDS:
    ARRAY = members_of(_kind, "Array", borrowed=True)
    ARRAY.fact("device")(lambda value: CPU)
    ARRAY.fact("sharding")(lambda value: WHOLE)
    ARRAY.method("devices")(lambda value: {CPU})


def devices(backend: Any = None) -> list[Device]:
    """The devices: one processor."""
    return [CPU]


def device_put(x: Any, device: Any = None, **_: Any) -> Any:
    """The values on the device, as arrays."""
    leaves, structure = trees().flatten(x)
    return trees().unflatten(structure, [_array(leaf) for leaf in leaves])


def _array(leaf: Any) -> Any:
    if isinstance(leaf, (JaxArray, Tracer)):
        return leaf
    value = constant(as_value(leaf))
    return undrawn(value)


def device_get(x: Any) -> Any:
    """The values as arrays of numpy."""
    leaves, structure = trees().flatten(x)
    return trees().unflatten(structure, [np.array(known(constant(leaf))) for leaf in leaves])


def block_until_ready(x: Any) -> Any:
    """The same values: nothing runs in the background here."""
    return x


# -- debug -------------------------------------------------------------------------------------------

print_p = Primitive("debug_print", several=True)
print_p.has_effect = True


def _print(*values: Any, _interpreter: Interpreter, _call: Any, **_: Any) -> list[Any]:
    _interpreter.print(_call([_plain(value) for value in values]) + "\n")
    return []


def _plain(value: Any) -> Any:
    return value


def _print_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    return print_p(*primals, **parameters), []


def _print_batch(size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, Any]:
    """Once for each example."""
    from engine.languages.surfaces.jax.core.batching import move_axis
    from engine.languages.surfaces.jax.numpy.indexing.taking import getitem

    for index in range(size):
        rows = [
            getitem(move_axis(x, axis, 0), index) if axis is not None else x
            for x, axis in zip(values, axes, strict=True)
        ]
        print_p(*rows, **parameters)
    return [], []


def _print_dead(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Equation | None]:
    return [True] * len(equation.inputs), equation


def _print_linear(nonzeros: Any, *primals: Any, **parameters: Any) -> Any:
    print_p(*primals, **parameters)
    return [], lambda *tangents: []


NUMPY_PRINTS = (
    *(("edgeitems", 3), ("threshold", 1000), ("floatmode", "maxprec"), ("precision", 8), ("suppress", False)),
    *(("linewidth", 75), ("nanstr", "nan"), ("infstr", "inf"), ("sign", "-"), ("formatter", None)),
    *(("legacy", False), ("override_repr", None)),
)
print_p.shown = lambda parameters: {
    **parameters,
    "has_placeholders": "{" in parameters["fmt"],
    "logging_record": None,
    "np_printoptions": NUMPY_PRINTS,
    "partitioned": False,
    "static_args": (),
}
print_p.evaluate = _print
print_p.types = lambda *avals, **_: []
print_p.tangent, print_p.batch, print_p.dead, print_p.linear = (
    _print_tangent,
    _print_batch,
    _print_dead,
    _print_linear,
)


def debug_print(interpreter: Interpreter, fmt: Any, *args: Any, ordered: Any = False, **kwargs: Any) -> None:
    """Write a text with values in it, whenever the function runs."""
    leaves, structure = flat_arguments(args, kwargs)
    moving = [isinstance(leaf, (JaxArray, Tracer)) for leaf in leaves]
    fixed = [None if move else leaf for leaf, move in zip(leaves, moving, strict=True)]

    def written(values: Sequence[Any]) -> str:
        given = iter(values)
        every = [next(given) if move else leaf for leaf, move in zip(fixed, moving, strict=True)]
        positional, named = trees().unflatten(structure, every)
        made: str = interpreter.call(STRING_FORMAT, [str(fmt), *positional], named)
        return made

    values = [leaf for leaf, move in zip(leaves, moving, strict=True) if move]
    about = {"fmt": str(fmt), "in_tree": structure.text(), "ordered": bool(ordered)}
    print_p(*values, **about, _interpreter=interpreter, _call=written)


STRING_FORMAT = TEXT.methods["format"]


def breakpoint_(*_: Any, **__: Any) -> None:
    """Nothing stops here."""


def callback(interpreter: Interpreter, callback: Any, *args: Any, **kwargs: Any) -> None:
    """A function of the program that is called with values whenever the function runs."""
    leaves, structure = flat_arguments(args, kwargs)

    def called(values: Sequence[Any]) -> str:
        positional, named = trees().unflatten(structure, list(values))
        interpreter.call(callback, list(positional), named)
        return ""

    call_p(*leaves, _call=called)


def _called(*values: Any, _call: Any) -> list[Any]:
    _call(values)
    return []


call_p = Primitive("debug_callback", several=True)
call_p.has_effect = True
call_p.types = lambda *avals, **_: []
call_p.evaluate = _called
call_p.tangent = lambda primals, tangents, **parameters: (call_p(*primals, **parameters), [])
call_p.linear = lambda nonzeros, *primals, **parameters: (
    call_p(*primals, **parameters),
    lambda *tangents: [],
)


def formatted(interpreter: Interpreter, value: Any, spec: str) -> str:
    """A value in a format."""
    return format_value(value, spec, interpreter.budget)
