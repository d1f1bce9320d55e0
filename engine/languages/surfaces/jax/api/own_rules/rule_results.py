"""What the rules of `custom_jvp` and `custom_vjp` give back, checked as JAX checks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.api.tracing.differences import leaf_paths, why_not
from engine.languages.surfaces.jax.core.avals import Aval, same_type
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.trees import LEAF, THE_LEAF, Structure
from engine.languages.surfaces.jax.core.values import Zero, aval_of


def value_and_tangent(of: str, result: Any) -> tuple[list[Any], Structure, list[Any]]:
    """The values that a rule gives, their structure, and their tangents.

    Raises: TypeError where these do not go together.
    """
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise type_error(
            f"{of} a pair (list or tuple of length two) representing primal and tangent outputs, but got "
            f"{to_str(result)}.",
            "自定义的 jvp 规则必须返回两个值：结果和它的切向量。",
        )
    (outs, structure), (moved, other) = (trees().flatten(one) for one in result)
    if structure != other:
        raise type_error(
            f"{of} primal and tangent outputs with equal container (pytree) structures, but got "
            f"{structure.text()} and {other.text()} respectively.",
            "自定义的 jvp 规则返回的结果和切向量的结构必须相同。",
        )
    values, tangents = [as_value(x) for x in outs], [as_value(t) for t in moved]
    types = [aval_of(x) for x in values]
    _check_tangents(types, [aval_of(t) for t in tangents])
    pairs = zip(types, tangents, strict=True)
    return values, structure, [t if one.is_inexact else Zero(one.tangent()) for one, t in pairs]


def _check_tangents(values: Sequence[Aval], tangents: Sequence[Aval]) -> None:
    """Raises: TypeError where a tangent has not the type that its value asks for."""
    pairs = [(x, x.tangent(), t) for x, t in zip(values, tangents, strict=True)]
    differ = [(x, want, t) for x, want, t in pairs if not same_type(want, t)]
    if not differ:
        return
    said = "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes"
    if len(pairs) == 1:
        ((x, want, t),) = pairs
        said += f". Expected {want.long()} (tangent type of {x.long()}) but got {t.long()}."
    else:
        lines = [
            f"  primal {x.long()} with tangent {t.long()}, expecting tangent {w.long()}" for x, w, t in differ
        ]
        said += ", but got:\n" + "\n".join(lines)
    raise type_error(said, "自定义的 jvp 规则返回的切向量必须与结果的形状和类型相同。")


def cotangents(found: Any, inputs: Structure, avals: Sequence[Aval]) -> list[Any]:
    """What a backward rule gave for each leaf of the arguments, None for none.

    Raises: TypeError or ValueError where it does not fit.
    """
    parts = tuple(found) if isinstance(found, list) else found
    outs: list[Any] = []
    try:
        if not isinstance(parts, tuple) or len(parts) != len(inputs.children):
            raise value_error("", "")
        for one, child in zip(parts, inputs.children, strict=True):
            outs += _up_to(child, one)
    except ProgramError:
        raise type_error(
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the "
            "args tuple of the primal function, and in particular must produce a tuple of length equal to "
            "the number of arguments to the primal function, but got bwd output structure "
            f"{trees().flatten(parts)[1].text()} for primal input structure {inputs.text()}.",
            f"custom_vjp 的反向规则必须返回元组，每个参数一项，共 {len(inputs.children)} 项。",
            "Write return (dx, dy), with a comma for one: return (dx,).",
            "请写 return (dx, dy)；只有一个参数时写 return (dx,)。",
        ) from None
    cts = [None if ct is None else as_value(ct) for ct in outs]
    for ct, aval, path in zip(cts, avals, leaf_paths(inputs), strict=True):
        if ct is not None and aval.is_inexact and aval_of(ct).shape != aval.shape:
            got = aval_of(ct)
            raise value_error(
                "Custom VJP bwd rule must produce an output with the same type as the args tuple of the "
                f"primal function, but at output{path} the bwd rule produced an output of type {got.long()} "
                f"corresponding to an input of type {aval.long()}, so {why_not(aval, got)}",
                f"custom_vjp 的反向规则在 output{path} 处返回了 {got.long()}，但输入的类型是 {aval.long()}。",
            )
    return cts


def _up_to(structure: Structure, value: Any) -> list[Any]:
    """What stands where a structure has leaves; a None stands for all below it."""
    if value is None:
        return [None] * structure.count
    if structure.kind is LEAF:
        return [_a_leaf(value)]
    shape = Structure(structure.kind, structure.extra, tuple(THE_LEAF for _ in structure.children))
    parts = trees().up_to(shape, value)
    return [leaf for one, child in zip(parts, structure.children, strict=True) for leaf in _up_to(child, one)]


def _a_leaf(value: Any) -> Any:
    if trees().parts(value) is not None:
        raise value_error("", "")
    return value
