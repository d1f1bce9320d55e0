"""Settings of PyTorch: the default type, `finfo`, `compile`, and what is accepted without an effect."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DEFAULT_FLOAT, category, dtype_of, result_type
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.shaping import places_of
from engine.languages.surfaces.torch.registry import TORCH, torch_function
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, require_grad

OPERATORS["places_of"] = places_of


@torch_function("set_default_dtype")
def set_default_dtype(d: Any) -> None:
    """The type of Python's floats from here on."""
    found = dtype_of(d)
    if found is None or not found.is_floating:
        raise torch_error(
            "only floating-point types are supported as the default type",
            "默认类型只能是浮点类型。",
            kind="TypeError",
        )
    state().graph.forget_turns()
    state().default_float = found


@torch_function("set_default_tensor_type")
def set_default_tensor_type(t: Any) -> None:
    """The same by the name of a type of tensors."""
    name = t if isinstance(t, str) else getattr(t, "name", "")
    set_default_dtype(dtype_of(TORCH["float64" if "Double" in name else "float32"]))


@torch_function("get_default_dtype")
def get_default_dtype() -> Any:
    """The type of Python's floats."""
    return state().default_float


class TypeInfo:
    """What `torch.finfo` and `torch.iinfo` give."""

    def __init__(self, info: Any, dtype: Any) -> None:
        self.info = info
        self.dtype = dtype


INFO = members_of(TypeInfo, "finfo")


def _info_text(one: TypeInfo) -> str:
    """`finfo(resolution=1e-06, min=-3.40282e+38, …, dtype=float32)`."""
    floats = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
    names = floats if one.dtype.is_floating else ("min", "max")
    parts = [f"{name}={float(INFO.facts[name](one)):g}" for name in names]
    return f"{'finfo' if one.dtype.is_floating else 'iinfo'}({', '.join(parts)}, dtype={one.dtype.name})"


SHOWN[TypeInfo] = (_info_text, _info_text)


def _number(name: str) -> Callable[[TypeInfo], Any]:
    return lambda one: np.asarray(LIMITS[name](one.info)).item()


for _name in ("max", "min", "bits", "eps", "tiny", "resolution"):
    INFO.fact(_name)(_number(_name))
INFO.fact("smallest_normal")(lambda one: np.asarray(one.info.tiny).item())
INFO.fact("dtype")(lambda one: one.dtype.name)
LIMITS: dict[str, Any] = {
    "max": lambda info: info.max,
    "min": lambda info: info.min,
    "bits": lambda info: info.bits,
    "eps": lambda info: info.eps,
    "tiny": lambda info: info.tiny,
    "resolution": lambda info: info.resolution,
}


LARGEST = (2 - 2.0**-7) * 2.0**127  # of bfloat16
BFLOAT16_LIMITS = SimpleNamespace(
    max=LARGEST, min=-LARGEST, bits=16, eps=2.0**-7, tiny=2.0**-126, resolution=0.01
)


@torch_function("finfo")
def finfo(type: Any = None) -> TypeInfo:
    """The limits of a type of floats."""
    found = (dtype_of(type) or state().default_float).of_parts
    return TypeInfo(BFLOAT16_LIMITS if found is BFLOAT16 else np.finfo(found.name), found)


@torch_function("iinfo")
def iinfo(type: Any) -> TypeInfo:
    """The limits of a type of whole numbers."""
    found = dtype_of(type) or DEFAULT_FLOAT
    return TypeInfo(np.iinfo(found.name), found)


@torch_function("promote_types")
def promote_types(type1: Any, type2: Any) -> Any:
    """The smallest type that holds both."""
    a, b = dtype_of(type1), dtype_of(type2)
    return a if a is None or b is None else result_type((a, 2), (b, 2))


@torch_function("can_cast")
def can_cast(from_: Any, to: Any) -> bool:
    """Whether the kind of number allows it."""
    kinds = [category(one) for one in (dtype_of(from_), dtype_of(to)) if one is not None]
    return kinds[0] <= kinds[1]


@torch_function("compile", "jit.script", "compiler.disable", "jit.ignore")
def compile(interpreter: Interpreter, model: Any = None, **settings: Any) -> Any:
    """The function itself: what it computes is the same."""
    interpreter.note(
        "compiled_is_the_same",
        "torch.compile and torch.jit.script give the function itself here: it computes the same.",
        "torch.compile 和 torch.jit.script 在这里直接返回原函数：计算结果相同。",
    )
    return Native("compile", lambda function: function) if model is None else model


@torch_function("autograd.Variable", "autograd.variable.Variable")
def variable(data: Any, requires_grad: Any = False, volatile: Any = False) -> Any:
    """A tensor: since PyTorch 0.4 both are one."""
    if not isinstance(data, Tensor):
        raise torch_error("Variable data has to be a tensor", "Variable 需要张量。", kind="TypeError")
    made: Tensor = OPERATORS["detach"](data)
    return require_grad(made) if requires_grad else made


def _accepted(*names: str) -> None:
    def call(*args: Any, **keywords: Any) -> None:
        """Accepted, without an effect on numbers."""

    torch_function(*names)(call)


_accepted("use_deterministic_algorithms", "set_num_threads", "set_num_interop_threads", "set_warn_always")
_accepted("set_float32_matmul_precision", "autograd.set_multithreading_enabled")
torch_function("get_num_threads")(lambda: 1)
torch_function("are_deterministic_algorithms_enabled")(lambda: False)
torch_function("broadcast_shapes")(lambda *shapes: Size(np.broadcast_shapes(*shapes)))
torch_function("set_flush_denormal")(lambda mode: True)  # whether the processor can do it


@torch_function("typename")
def typename(obj: Any) -> str:
    """The name of a tensor's type, or of Python's own. Raises: for other objects."""
    if isinstance(obj, Tensor):
        return f"torch.{obj.dtype.scalar_name}Tensor"
    if not isinstance(obj, (bool, int, float, str, list, tuple, dict)):
        raise not_here("torch.typename of such an object", "这种对象的 torch.typename")
    return python_name(obj)
