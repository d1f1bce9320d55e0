"""What conditions and loops refuse: results of branches and turns that do not fit, tests that are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.builtins.objects import callable_
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.surfaces.jax.api.calling import (
    function_name,
)
from engine.languages.surfaces.jax.api.tracing.differences import (
    LEAF_OF_BRANCH,
    LEAF_OF_CARRY,
    as_list,
    leaf_paths,
    structure_differences,
    why_not,
)
from engine.languages.surfaces.jax.core.avals import Aval, same_type
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.trees import LEAF, Structure
from engine.languages.surfaces.jax.core.values import aval_of


class Words:
    """A type inside of a pytree that is shown."""

    def __init__(self, text: str) -> None:
        self.text = text


SHOWN[Words] = (lambda words: words.text,) * 2


def shaped(aval: Aval) -> str:
    """`ShapedArray(float32[2])`, as JAX shows a type in messages."""
    return f"ShapedArray({aval.long()}{', weak_type=True' if aval.weak else ''})"


def check_callables(said: str, *functions: Any) -> None:
    """Raises: TypeError in these words where one is no function."""
    if not all(map(callable_, functions)):
        raise type_error(said, "这里需要函数。", "Give the function itself.", "请给出函数本身。")


def check_branches(found: Any, functions: Sequence[Any], names: Sequence[str]) -> None:
    """Raises: TypeError where two branches give other trees, or other types."""
    of_cond = names[0] == "false_fun"
    for place in range(1, len(found)):
        pair = (place, 0) if of_cond else (0, place)  # the one that is named first
        (one, inner), (other, outer) = (found[i] for i in pair)
        mine, base = (names[i] for i in pair)
        lines = "\n".join(f"{names[i]} is {function_name(functions[i])}" for i in pair)
        what, revise = ("cond" if of_cond else "switch"), f"Revise {mine} and/or {base} so that"
        if inner != outer:
            differ = [
                f"{mine} output{_at_path(path)} is {here} but {base} output{_at_path(path)} is {there}, "
                f"so {why}"
                for path, here, there, why in structure_differences(inner, outer, LEAF_OF_BRANCH)
            ]
            raise type_error(
                f"{what} branch outputs must have the same pytree structure, but they differ:\n\n{lines}"
                f"\n\n{as_list(differ, capital=False)}\n\n{revise} they have the same "
                "pytree structure.",
                f"{what} 的各分支返回的结构必须相同。",
            )
        differ = [
            f"the output of {mine}{_at_path(path)} has type {a.long()} but the corresponding output of "
            f"{base} has type {b.long()}, so {why_not(a, b)}"
            for path, a, b in zip(leaf_paths(inner), one.out_avals, other.out_avals, strict=True)
            if not same_type(a, b)
        ]
        if differ:
            raise type_error(
                f"{what} branches must have equal output types but they differ.\n\n{lines}\n\n"
                f"{as_list(differ)}\n\n{revise} all output types match.",
                f"{what} 的各分支返回的类型必须相同：{'、'.join(differ)}。",
            )


def _at_path(path: str) -> str:
    return f" at path {path}" if path else ""


def check_test(test: Jaxpr, structure: Structure) -> None:
    """Raises: TypeError where the test of a loop gives other than one truth value."""
    zh = "cond_fun 必须返回一个真假值。"
    if structure.kind != LEAF:
        raise type_error(f"cond_fun must return a boolean scalar, but got pytree {structure.text()}.", zh)
    (aval,) = test.out_avals
    if (aval.shape, aval.dtype) != ((), "bool"):
        raise type_error(
            f"cond_fun must return a boolean scalar, but got output type(s) [{shaped(aval)}].", zh
        )


def check_bounds(lower: Any, upper: Any) -> None:
    """Raises: TypeError for bounds that are no whole numbers, or of two types."""
    a, b = aval_of(lower), aval_of(upper)
    whole_numbers = all(one.dtype.startswith(("int", "uint")) for one in (a, b))
    if a.dtype != b.dtype and not (whole_numbers and (a.weak or b.weak)):
        raise type_error(
            f"lower and upper arguments to fori_loop must have equal types, got {a.dtype} and {b.dtype}",
            "fori_loop 的上下界类型必须相同。",
        )


def check_carry(
    what: str, name: str, structure: Structure, avals: Any, inner: Structure, outs: Sequence[Aval]
) -> None:
    """Raises: TypeError where a turn of a loop gives another tree, or other types, than it was given."""

    def at(path: str) -> str:
        return f"the input carry {'component ' if path else ''}{name}{path}"

    if inner.kind is type(None) and structure.kind == LEAF:
        raise type_error(
            f"{what} function carry input and carry output must have the same pytree structure, but they "
            f"differ:\n\nthe input tree structure is:\n{structure.text()}\n\nthe output tree structure is:\n"
            f"{inner.text()}\n\nRevise the function so that the carry output has the same pytree "
            "structure as "
            "the carry input.",
            "循环体没有返回值：返回的结构必须与它的输入相同。",
        )
    if inner != structure:
        differ = [
            f"{at(path)} is {here} but the corresponding component of the carry output is {there}, so {why}"
            for path, here, there, why in structure_differences(structure, inner, LEAF_OF_CARRY)
        ]
        raise type_error(
            f"{what} function carry input and carry output must have the same pytree structure, but they "
            f"differ:\n\n{as_list(differ)}\n\nRevise the function so that the carry output has the same "
            "pytree structure as the carry input.",
            "循环体返回的结构必须与它的输入相同。",
        )
    differ = [
        f"{at(path)} has type {a.long()} but the corresponding output carry component has type {b.long()}, "
        f"so {why_not(a, b)}"
        for path, a, b in zip(leaf_paths(structure), avals, outs, strict=True)
        if not same_type(a, b)
    ]
    if differ:
        raise type_error(
            f"{what} function carry input and carry output must have equal types, but they differ:\n\n"
            f"{as_list(differ)}\n\nRevise the function so that all output types match the corresponding "
            "input types.",
            f"循环体返回的类型必须与它的输入相同：{'、'.join(differ)}。",
        )
