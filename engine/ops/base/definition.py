"""What an op is, and how one is defined.

All that is true of an op stands in one block: its kernel (the decorated function), its shape rule,
its gradient rule, its formula, its documentation, and what other parts ask of it (`Facts`). The registry
feeds the graph, the REST catalogue, the formula panel, the reference pages, forward mode, symbolic
differentiation, the notes about a run, and the writers of code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from engine.errors import DtypeError, ShapeError
from engine.ops.base.building import build, named, output_of
from engine.ops.base.domains import Domain
from engine.ops.base.element_types import ELEMENT_TYPES
from engine.ops.base.facts import DegreeRule, Facts
from engine.ops.base.registry import REGISTRY
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FIXED, Array, Node, Shape, Tensor

Kernel = Callable[..., Any]
ShapeRule = Callable[..., Any]
GradientRule = Callable[..., Sequence[Tensor | None]]
ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
DATA_TYPES = frozenset({"T", "Tparams"})  # of inputs whose shapes count, but never their values


class OpDef:
    """One kind of operation. Calling it adds a node; `forward` computes with arrays.

    doc, doc_zh: what it computes, in English (the kernel's docstring) and in Simplified Chinese.
    The other facts are those of its block (see Facts), under the same names; a rule that a decorator may
    give, too, has `_rule` behind its name.
    is_known:    false of what another program wrote that has no definition here, whatever its name.
    """

    is_known = True

    def __init__(self, name: str, kernel: Kernel, facts: Facts) -> None:
        self.name = name
        self.kernel = kernel
        self.doc = inspect.getdoc(kernel) or ""
        self.doc_zh: str = getattr(kernel, "doc_zh", "")
        self.input_names = tuple(facts["inputs"].split())
        self.types = tuple((facts.get("types") or "T " * len(self.input_names)).split())
        self.accepts = ELEMENT_TYPES[facts.get("accepts", "all")]
        self.output_types = facts.get("outputs", ("T",))
        several = callable(self.output_types) or len(self.output_types) != 1
        self.output_type: str | None = None if several else self.output_types[0]  # type: ignore[index]  # one
        self.shape_rule, self._asked = _rule(facts.get("shape", _unknown))
        self.fixed: Mapping[str, Any] = MappingProxyType(dict(facts.get("fixed") or {}))
        self.attributes: Mapping[str, Any] = MappingProxyType(_defaults(kernel))
        own = facts.get("own", ())
        usual = {name: value for name, value in self.attributes.items() if name not in own}
        self.defaults: Mapping[str, Any] = {**self.fixed, **usual}
        self.writes = facts.get("writes", ())
        self.effort = facts.get("effort")
        self.decides_effort = sorted(_rule(self.effort)[1]) if self.effort is not None else []
        self.draws = facts.get("draws", False)
        self.keeps = facts.get("keeps", False)
        self.stateful = facts.get("stateful", False) or self.draws
        self.passes_on = facts.get("passes_on", False)
        self.of_shapes = facts.get("of_shapes", False)
        self.text_rule: Callable[..., str] | None = None
        self.is_simple = not any(name.startswith("*") for name in self.input_names)
        self._keep_what_decides()
        self._keep_writing(facts)
        self._keep_calculus(facts)

    def _keep_writing(self, facts: Facts) -> None:
        """How it is written: as a formula, in code, as an expression."""
        self.latex = facts.get("latex", "")
        self.written = facts.get("written", "")
        self.operator = facts.get("operator", "")
        self.names: Mapping[str, str] = MappingProxyType(dict(facts.get("names", {})))
        self.call = facts.get("call", "")
        self.symbolic = facts.get("symbolic", "")
        by_kernel = bool(self.symbolic) or self.operator in ARITHMETIC
        self.analytic = facts.get("analytic", "kernel" if by_kernel else "")

    def _keep_calculus(self, facts: Facts) -> None:
        """How it varies, where it does not, and where it has no value."""
        self.adjoints = tuple(facts.get("adjoints", ()))
        self.no_gradient, self.no_gradient_zh = facts.get("no_gradient", ("", ""))
        self.ends_path = facts.get("ends_path", False)
        self.gradient_rule: GradientRule | None = None
        formulas = [(one, one) if isinstance(one, str) else one for one in facts.get("derivative", ())]
        self.derivative = tuple(english for english, _ in formulas)
        self.derivative_zh = tuple(chinese for _, chinese in formulas)
        self.partials = facts.get("partials")
        self.form = facts.get("form", "")
        self.degree_rule = facts.get("degree")
        self.kink = facts.get("kink")
        self.domain_rule = facts.get("domain")

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __call__(self, *inputs: Any, name: str | None = None, **attributes: Any) -> Tensor:
        """Add a node to the inputs' graph and return its first output."""
        return output_of(self, inputs, name, attributes)

    def _keep_what_decides(self) -> None:
        """What its outputs' types and shapes depend on, beside attributes and the inputs' types and shapes.

        deciding: the places of the inputs whose values count, too; None where anything else may.
        is_plain: whether it has one or two inputs and one output, and no value does.
        """
        looks = "inputs" in self._asked
        places = [place for place, kind in enumerate(self.types) if looks and kind not in DATA_TYPES]
        is_open = (self.stateful and bool(self.input_names)) or (looks and not self.is_simple)
        self.deciding: tuple[int, ...] | None = None if is_open else tuple(places)
        few = self.is_simple and len(self.input_names) in (1, 2)
        self.is_plain = few and self.output_type is not None and not (is_open or self.writes or looks)

    def node(self, *inputs: Any, name: str | None = None, **attributes: Any) -> Node:
        """Add a node to the inputs' graph and return it, for ops with several outputs or none."""
        return build(self, inputs, named(name, self.name), attributes)

    def parameters(self, attrs: Mapping[str, Any]) -> dict[str, Any]:
        """What the kernel takes beside the values: those of its attributes that a node has."""
        return {name: attrs[name] for name in self.attributes if name in attrs}

    def forward(self, *arrays: Any, **attributes: Any) -> Any:
        """Compute with arrays, without a graph."""
        return self.kernel(*map(np.asarray, arrays), **attributes)

    def shape(self, rule: ShapeRule) -> ShapeRule:
        """Decorator: the op's own shape rule (static shapes in, static shape out)."""
        self.shape_rule, self._asked = _rule(rule)
        self._keep_what_decides()
        return rule

    def gradient(self, rule: GradientRule) -> GradientRule:
        """Decorator: the rule that adds the nodes of the gradient, one tensor (or None) per input."""
        self.gradient_rule = rule
        return rule

    def domain(self, rule: Domain) -> Domain:
        """Decorator: what of its inputs has no finite value."""
        self.domain_rule = rule
        return rule

    def degree(self, rule: DegreeRule) -> DegreeRule:
        """Decorator: the degree of its output as a polynomial."""
        self.degree_rule = rule
        return rule

    def shows(self, rule: Callable[..., str]) -> Callable[..., str]:
        """Decorator: the text that a run of it shows, of arrays and attributes; it is stateful then."""
        self.text_rule = rule
        return rule

    def output_dtypes(self, attributes: Mapping[str, Any]) -> list[str]:
        """The dtype of each output, type attributes resolved."""
        types = self.output_types(attributes) if callable(self.output_types) else self.output_types
        found = [attributes.get(kind, kind) for kind in types]
        if not all(isinstance(dtype, str) and dtype in FIXED for dtype in found):
            raise _no_type(self.name, found)
        return found

    def work(
        self, counts: Sequence[int | None], arguments: Sequence[Any], attributes: Mapping[str, Any]
    ) -> int:
        """Element operations of one run: the larger of what is read and what is made, or what the op says."""
        made = sum(count or 0 for count in counts)
        if self.effort is not None:
            return int(
                self.effort(made, arguments, **{name: attributes[name] for name in self.decides_effort})
            )
        return max(made, sum(np.size(value) for value in arguments))

    def infer_shapes(self, inputs: Sequence[Tensor], attributes: Mapping[str, Any]) -> Any:
        """What the shape rule says of the inputs. Raises: ShapeError where it cannot take them apart."""
        try:
            return self._ruled(inputs, attributes)
        except (ArithmeticError, IndexError, TypeError, ValueError) as error:
            raise _does_not_fit(self.name, inputs) from error

    def _ruled(self, inputs: Sequence[Tensor], attributes: Mapping[str, Any]) -> Any:
        """The rule is given the facts that its signature asks for."""
        if not self._asked:
            return self.shape_rule(*[tensor.shape for tensor in inputs])
        known = {name: attributes[name] for name in self._asked if name in attributes}
        if "inputs" in self._asked:
            known["inputs"] = inputs
        if "attributes" in self._asked:
            known["attributes"] = attributes
        return self.shape_rule(*(tensor.shape for tensor in inputs), **known)


def op(name: str, **facts: Unpack[Facts]) -> Callable[[Kernel], OpDef]:
    """Decorator: make an op of a kernel and enter it into the registry."""

    def define(kernel: Kernel) -> OpDef:
        definition = OpDef(name, kernel, facts)
        REGISTRY.add(definition)
        return definition

    return define


def in_chinese(doc: str) -> Callable[[Kernel], Kernel]:
    """Decorator of a kernel: what its docstring says, in Simplified Chinese (without shapes and sources)."""

    def translated(kernel: Kernel) -> Kernel:
        vars(kernel)["doc_zh"] = doc
        return kernel

    return translated


def _no_type(op: str, found: Sequence[Any]) -> DtypeError:
    unknown = next(dtype for dtype in found if not isinstance(dtype, str) or dtype not in FIXED)
    written, kind = (f"{unknown:.40}", "") if isinstance(unknown, str) else ("", type(unknown).__name__)
    return DtypeError(
        f"{op} is asked for elements of the type {written or kind}, which there is not.",
        hint="Use tf.float32, tf.float64, tf.int32, tf.int64 or tf.bool.",
        message_zh=f"{op} 的元素类型不能是 {written or kind}，没有这种类型。",
        hint_zh="请使用 tf.float32、tf.float64、tf.int32、tf.int64 或 tf.bool。",
    )


def _does_not_fit(op: str, inputs: Sequence[Tensor]) -> ShapeError:
    shapes = ", ".join(written(tensor.shape) for tensor in inputs)
    return ShapeError(
        f"{op} cannot take tensors of the shapes {shapes}.",
        message_zh=f"{op} 不能处理形状为 {shapes} 的张量。",
    )


def _unknown(*shapes: Shape) -> Shape:
    return None


def _defaults(kernel: Kernel) -> dict[str, Any]:
    parameters = inspect.signature(kernel).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _rule(rule: ShapeRule) -> tuple[ShapeRule, frozenset[str]]:
    """A shape rule with the names of the facts that it asks for by keyword."""
    parameters = inspect.signature(rule).parameters.values()
    return rule, frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


__all__ = ["REGISTRY", "Array", "Facts", "OpDef", "in_chinese", "op"]
