"""What an op is, and the registry of all of them.

All that is true of an op stands in one block: its kernel (the decorated function), its shape rule,
its gradient rule, its formula, its documentation, and what other parts ask of it (`Facts`). The registry
feeds the graph, the REST catalogue, the formula panel, the reference pages, forward mode, symbolic
differentiation, the notes about a run, and the writers of code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

import numpy as np

from engine.errors import DtypeError, ProgramError, ShapeError
from engine.ops.base.building import build, named, promise
from engine.ops.base.domains import Domain
from engine.ops.base.element_types import ELEMENT_TYPES
from engine.ops.base.kinks import Kink
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FIXED, Array, Node, Shape, Tensor

Kernel = Callable[..., Any]
ShapeRule = Callable[..., Any]
GradientRule = Callable[..., Sequence[Tensor | None]]
ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
Formula = str | tuple[str, str]  # LaTeX, or LaTeX with words: in English and in Simplified Chinese


class Facts(TypedDict, total=False):
    """What is asked of an op beside its kernel, its shape and its gradient; each where it has an answer.

    derivative: the local derivative for each input: ∂output/∂input, of inputs `{x}` and the output `{out}`.
    partials:   the same for forward mode: a function of the inputs' values and the output's that gives one
                factor for each input; written with numpy's functions, it serves arrays and expressions.
    form:       `linear` or `bilinear` in its float inputs.
    degree:     the degree of the output as a polynomial, of the node and its inputs' degrees, where `form`
                does not say it; infinite for what is no polynomial.
    kink:       where it has a corner, and what its gradient is there.
    domain:     what of its inputs has no finite value, of numbers at one place.
    accepts:    `floats` or `numbers`, where it does not compute with elements of every type.
    operator:   the sign that it is written with between two inputs.
    symbolic:   what it makes of expressions: the name of a function of theirs, a formula in numpy's
                functions for each element, or `kernel` where the kernel computes with them.
    analytic:   what continues it to complex numbers: its `kernel` (so where it is `symbolic`, unless said
                otherwise), its `symbolic` formula, or nothing ("").
    call:       what a call of it takes in code, where not just its inputs: the last is the `axes` to reduce,
                an `axis`, a `shape`; or several are taken in a list, to `join` or to `stack` them.
    written:    its formula where values are put in, if that reads better than `latex`; of a list of inputs,
                the sign between them.
    passes_on:  whether its outputs are its inputs as they are.
    of_shapes:  whether it tells of its inputs what their values do not change.
    names:      by framework (`tf`, `numpy`, `torch`, `jax`, `math`), what its function is called there, or a
                call in which `{0}` stands for its input. PyTorch and JAX look under `numpy`, too.
    """

    derivative: Sequence[Formula]
    partials: Callable[..., Sequence[Any]]
    form: str
    degree: Callable[[Node, Sequence[float]], float]
    kink: Kink
    domain: Domain
    accepts: str
    operator: str
    symbolic: str | Callable[..., Any]
    analytic: str
    call: str
    written: str
    passes_on: bool
    of_shapes: bool
    names: Mapping[str, str]


class OpDef:
    """One kind of operation. Calling it adds a node; `forward` computes with arrays.

    inputs:   the argument names; one that starts with `*` takes a list of tensors.
    types:    for each input, the type attribute that it binds (`T`, `Tidx`, …), or a fixed dtype.
    outputs:  one dtype or type attribute per output; a callable of the attributes where that varies.
    fixed:    attributes that TensorFlow writes and that change nothing here.
    writes:   the inputs that are variables which the kernel gives new values, in the order of its results.
    effort:   element operations of one run, from the elements made, the arguments (of which it asks the
              shapes only) and the attributes that its keywords name, where that is not the larger of
              elements read and made.
    stateful: its value is drawn or read anew in each run, so it is never folded.
    draws:    its kernel takes a `generator` of random numbers, which a session gives it.
    doc, doc_zh: what it computes, in English (the kernel's docstring) and in Simplified Chinese.
    no_gradient: why it has no gradient rule, in English and in Simplified Chinese.
    ends_path: without a gradient rule, whether a gradient quietly ends here (None) or is refused.
    """

    def __init__(self, name: str, kernel: Kernel, more: Facts, **facts: Any) -> None:
        self.name = name
        self.kernel = kernel
        self.doc = inspect.getdoc(kernel) or ""
        self.doc_zh: str = getattr(kernel, "doc_zh", "")
        self.input_names: tuple[str, ...] = tuple(facts["inputs"].split())
        self.types: tuple[str, ...] = tuple((facts["types"] or "T " * len(self.input_names)).split())
        self.output_types: Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str]] = facts["outputs"]
        several = callable(self.output_types) or len(self.output_types) != 1
        self.output_type: str | None = None if several else self.output_types[0]
        self.fixed: Mapping[str, Any] = MappingProxyType(dict(facts["fixed"] or {}))
        self.writes: tuple[int, ...] = facts["writes"]
        self.draws: bool = facts["draws"]
        self.stateful: bool = facts["stateful"] or self.draws
        self.effort: Callable[..., int] | None = facts["effort"]
        self.decides_effort = sorted(_rule(self.effort)[1]) if self.effort is not None else []
        self.latex: str = facts["latex"]
        self.adjoints: tuple[str, ...] = tuple(facts["adjoints"])
        self.no_gradient, self.no_gradient_zh = facts["no_gradient"]
        self.ends_path: bool = facts["ends_path"]
        self.gradient_rule: GradientRule | None = None
        self.text_rule: Callable[..., str] | None = None
        self.attributes: Mapping[str, Any] = MappingProxyType(_defaults(kernel))
        self.shape_rule, self._asked = _rule(facts["shape"])
        self.defaults: Mapping[str, Any] = {**self.fixed, **self.attributes}
        self._keep(more)
        self.is_simple = not any(name.startswith("*") for name in self.input_names)
        self.is_plain = self._is_plain()

    def _keep(self, facts: Facts) -> None:
        """The facts under their own names, with what stands for one that is not given."""
        formulas = [(one, one) if isinstance(one, str) else one for one in facts.get("derivative", ())]
        self.derivative = tuple(english for english, _ in formulas)
        self.derivative_zh = tuple(chinese for _, chinese in formulas)
        self.partials = facts.get("partials")
        self.form = facts.get("form", "")
        self.degree_rule = facts.get("degree")
        self.kink = facts.get("kink")
        self.domain_rule = facts.get("domain")
        self.accepts = ELEMENT_TYPES[facts.get("accepts", "all")]
        self.operator = facts.get("operator", "")
        self.symbolic = facts.get("symbolic", "")
        by_kernel = bool(self.symbolic) or self.operator in ARITHMETIC
        self.analytic = facts.get("analytic", "kernel" if by_kernel else "")
        self.call = facts.get("call", "")
        self.written = facts.get("written", "")
        self.passes_on = facts.get("passes_on", False)
        self.of_shapes = facts.get("of_shapes", False)
        self.names = MappingProxyType(dict(facts.get("names", {})))

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __call__(self, *inputs: Any, name: str | None = None, **attributes: Any) -> Tensor:
        """Add a node to the inputs' graph and return its first output."""
        if name is None and self.is_plain and not attributes:
            promised = promise(self, inputs)
            if promised is not None:
                return promised
        first: Tensor = self.node(*inputs, name=name, **attributes).outputs[0]
        return first

    def _is_plain(self) -> bool:
        """Whether types and shapes of one or two inputs tell all about its one output."""
        has_effect = self.stateful or bool(self.writes)
        few = self.is_simple and len(self.input_names) in (1, 2)
        return few and self.output_type is not None and not has_effect and "inputs" not in self._asked

    def node(self, *inputs: Any, name: str | None = None, **attributes: Any) -> Node:
        """Add a node to the inputs' graph and return it, for ops with several outputs or none."""
        return build(self, inputs, named(name, self.name), attributes)

    def forward(self, *arrays: Any, **attributes: Any) -> Any:
        """Compute with arrays, without a graph."""
        return self.kernel(*map(np.asarray, arrays), **attributes)

    def shape(self, rule: ShapeRule) -> ShapeRule:
        """Decorator: the op's own shape rule (static shapes in, static shape out)."""
        self.shape_rule, self._asked = _rule(rule)
        self.is_plain = self._is_plain()
        return rule

    def gradient(self, rule: GradientRule) -> GradientRule:
        """Decorator: the rule that adds the nodes of the gradient, one tensor (or None) per input."""
        self.gradient_rule = rule
        return rule

    def domain(self, rule: Domain) -> Domain:
        """Decorator: what of its inputs has no finite value (see Facts)."""
        self.domain_rule = rule
        return rule

    def degree(self, rule: Callable[[Node, Sequence[float]], float]) -> Callable[..., float]:
        """Decorator: the degree of its output as a polynomial (see Facts)."""
        self.degree_rule = rule
        return rule

    def tells(self, rule: Callable[..., str]) -> Callable[..., str]:
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


class Registry(Mapping[str, OpDef]):
    """Every op by its name."""

    def __init__(self) -> None:
        self._ops: dict[str, OpDef] = {}

    def __getitem__(self, name: str) -> OpDef:
        return self._ops[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ops)

    def __len__(self) -> int:
        return len(self._ops)

    def add(self, definition: OpDef) -> None:
        """Take in a new op; a name is taken once."""
        if definition.name in self._ops:
            raise ProgramError(
                f"An op named {definition.name} is registered already.",
                message_zh=f"名为 {definition.name} 的运算已经注册过。",
            )
        self._ops[definition.name] = definition

    def remove(self, name: str) -> None:
        """Forget an op, as a test does of one that it defined."""
        del self._ops[name]


REGISTRY = Registry()


def op(
    name: str,
    *,
    inputs: str,
    shape: ShapeRule | None = None,
    types: str = "",
    outputs: Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str]] = ("T",),
    latex: str = "",
    adjoints: Sequence[str] = (),
    no_gradient: tuple[str, str] = ("", ""),
    fixed: Mapping[str, Any] | None = None,
    writes: tuple[int, ...] = (),
    stateful: bool = False,
    ends_path: bool = False,
    draws: bool = False,
    effort: Callable[..., int] | None = None,
    **facts: Unpack[Facts],
) -> Callable[[Kernel], OpDef]:
    """Decorator: make an op of a kernel and enter it into the registry (arguments: see OpDef, Facts)."""

    def define(kernel: Kernel) -> OpDef:
        definition = OpDef(
            name,
            kernel,
            facts,
            inputs=inputs,
            shape=shape or _unknown,
            types=types,
            outputs=outputs,
            latex=latex,
            adjoints=adjoints,
            no_gradient=no_gradient,
            fixed=fixed,
            writes=writes,
            stateful=stateful,
            ends_path=ends_path,
            draws=draws,
            effort=effort,
        )
        REGISTRY.add(definition)
        return definition

    return define


def in_chinese(doc: str) -> Callable[[Kernel], Kernel]:
    """Decorator of a kernel: what its docstring says, in Simplified Chinese (without shapes and sources)."""

    def tell(kernel: Kernel) -> Kernel:
        vars(kernel)["doc_zh"] = doc
        return kernel

    return tell


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


__all__ = ["REGISTRY", "Array", "Facts", "OpDef", "Registry", "in_chinese", "op"]
