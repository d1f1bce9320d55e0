"""The `Apply…` op of an optimizer's rule: one node that makes one step of one variable."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array
from engine.optimizers.rows import on_rows
from engine.optimizers.rule import WRITES_A_VARIABLE, Rule, like_variable

COUNTS = ("t", "iterations")  # of steps; their type is int64


def apply_op(rule: Any, *, inputs: str, latex: str, doc: str, doc_zh: str, sparse: bool = False) -> None:
    """Register the op whose kernel is a rule's `update`.

    rule:   one of its kind. What it takes are the op's inputs; its fields among them, and among its
            attributes, have new values in each step, and all other fields the values that they have here.
    inputs: what TensorFlow calls the variable and whatever the rule takes, in this order.
    sparse: whether the same update on some of the rows is an op, too.
    """
    types = ["T", *(_type_of(rule, key) for key in rule.takes)]
    slots = [place for place, key in enumerate(rule.takes, start=1) if key.startswith("slots.")]
    definition = op(
        rule.apply_name,
        inputs=inputs,
        types=" ".join(types),
        shape=like_variable,
        writes=(0, *slots),
        latex=latex,
        no_gradient=WRITES_A_VARIABLE,
    )(_kernel(rule, doc, doc_zh))
    if sparse:
        on_rows(definition)


def _type_of(rule: Rule, key: str) -> str:
    if key in rule.exact:
        return "float64"
    return "int64" if key in COUNTS else "T"


def _kernel(rule: Any, doc: str, doc_zh: str) -> Any:
    """The rule of each step, made of the inputs and the attributes, and what its `update` returns."""
    kind: Any = type(rule)
    own = {field.name for field in fields(rule)}
    taken = [(key.removeprefix("slots."), key, place) for place, key in enumerate(rule.takes, start=1)]
    given = [(name, place) for name, key, place in taken if key in own]
    state = [(name, place) for name, key, place in taken if key not in own and key != "g"]
    slots = [name for name, key, _ in taken if key.startswith("slots.")]
    gradient = rule.takes.index("g") + 1
    attributes = {"use_locking": False, **rule.attributes}
    fixed = {name: getattr(rule, name) for name in own.difference(rule.takes, attributes)}

    def kernel(*arrays: Array, **attributes: Any) -> Any:
        chosen = {name: value for name, value in attributes.items() if name in own}
        step: Rule = kind(**fixed, **chosen, **{name: arrays[place] for name, place in given})
        theta, after = step.update(
            arrays[0], arrays[gradient], {name: arrays[place] for name, place in state}
        )
        return (theta, *(after[name] for name in slots)) if slots else theta

    kernel.__doc__ = doc
    kernel.__module__ = kind.__module__
    kernel.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # its attributes
        [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=v) for key, v in attributes.items()]
    )
    return in_chinese(doc_zh)(kernel)
