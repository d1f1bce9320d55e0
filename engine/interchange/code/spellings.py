"""What an op is called in other frameworks, for who looks it up: a function there, or the sign in between."""

from __future__ import annotations

from engine.interchange.code.arrays import Jax, Numpy
from engine.interchange.code.mathematics import Mathematics
from engine.interchange.code.python import PythonLanguage
from engine.interchange.code.tensorflow import TensorFlow2
from engine.interchange.code.torch import Torch
from engine.ops import OpDef

PYTHON: dict[str, type[PythonLanguage]] = {"tf": TensorFlow2, "torch": Torch, "jax": Jax, "numpy": Numpy}


def spellings(op: OpDef) -> dict[str, str]:
    """By framework (`tf`, `torch`, `jax`, `numpy`, `math`): a function's name, a whole call, or `x + y`.

    Where a framework writes the op in several words of its own, there is no single name to give.
    """
    found = {name: text for name, language in PYTHON.items() if (text := _in_python(op, language))}
    called = op.names.get("math", "")
    if called and op.name not in Mathematics.rules:
        found["math"] = _filled(called, op)
    return found


def _in_python(op: OpDef, language: type[PythonLanguage]) -> str:
    own, *others = language.frameworks
    if own in op.names:
        return _path(_filled(op.names[own], op), language.module)
    if op.name in language.rules:
        return ""
    called = next((op.names[one] for one in others if one in op.names), "")
    if called:
        return _path(_filled(called, op), language.module)
    return f" {op.operator} ".join(op.input_names) if op.operator and len(op.input_names) == 2 else ""


def _path(called: str, module: str) -> str:
    return called if called.startswith("jax.") else f"{module}.{called}"


def _filled(called: str, op: OpDef) -> str:
    return called.replace("{0}", op.input_names[0]) if op.input_names else called
