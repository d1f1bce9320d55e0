"""A jaxpr: what a function computes, as a list of equations between variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from engine.languages.surfaces.jax.contraction import Product, mark_products
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import JaxRun, run_now
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant
from engine.languages.surfaces.jax.straight import Straight


class Var:
    """A variable of a jaxpr: an argument, or what an equation gives."""

    __slots__ = ("aval",)

    def __init__(self, aval: Aval) -> None:
        self.aval = aval


class Literal:
    """A number that an equation holds in place of a variable."""

    __slots__ = ("value",)

    def __init__(self, value: Constant) -> None:
        self.value = value

    @property
    def aval(self) -> Aval:
        """Its type."""
        return self.value.aval


Atom = Var | Literal


@dataclass(slots=True, eq=False)
class Equation:
    """`outputs = primitive[parameters] inputs`.

    is_backward: whether it belongs to a gradient.
    of: the value whose linear part it belongs to, or the variable of that; place: where the program wrote it.
    known: what has been found out of it, by the types of its arrays.
    is_constant: whether it computes with numbers of the program text alone.
    product: what it takes in place of a product, where it is compiled.
    """

    primitive: Primitive
    inputs: list[Atom]
    outputs: list[Var]
    parameters: Mapping[str, Any]
    is_backward: bool = False
    of: Any = None
    place: Any = None
    known: dict[Any, Any] = field(default_factory=dict)
    is_constant: bool = False
    product: Product | None = None

    @property
    def compute(self) -> Callable[..., Any] | None:
        """What computes its results: it may be another function where its last input is a number.

        What is known when a function is compiled, the compiler computes then, as any other program would.
        """
        by_number = self.primitive.compute_by_number
        if by_number is None or self.is_constant or not isinstance(self.inputs[-1], Literal):
            return self.primitive.compute
        return by_number


@dataclass(slots=True, eq=False)
class GradientNote:
    """A gradient that was taken while a jaxpr was written: its call, and the variables of what it took.

    arguments, gradients: what was differentiated with respect to, and what came out; names: of the arguments.
    """

    call: Any
    value: Any
    arguments: list[Any]
    gradients: list[Any]
    names: list[str]


@dataclass(slots=True, eq=False)
class Jaxpr:
    """The variables of constants and arguments, the equations, and what they give.

    values: what the variables of constants hold.
    notes:  the gradients that were taken while it was written.
    parts:  its equations, forward and backward in turn, in pieces (`parts_of`).
    cells:  the references from outside, whose arrays are its last arguments, and whether each is written:
            then what it holds is among the last results.
    """

    constants: list[Var]
    arguments: list[Var]
    results: list[Atom]
    equations: list[Equation]
    values: list[Any] = field(default_factory=list)
    notes: list[GradientNote] = field(default_factory=list)
    parts: list[tuple[bool, list[Straight]]] | None = None
    cells: list[tuple[Any, bool]] = field(default_factory=list)

    @property
    def in_avals(self) -> list[Aval]:
        """The types of the arguments."""
        return [var.aval for var in self.arguments]

    @property
    def out_avals(self) -> list[Aval]:
        """The types of the results."""
        return [atom.aval for atom in self.results]

    @property
    def has_effect(self) -> bool:
        """Whether an equation prints."""
        return any(has_effect(equation) for equation in self.equations)

    def with_constants_first(self) -> Jaxpr:
        """The same with the constants as its first arguments."""
        arguments = [*self.constants, *self.arguments]
        return Jaxpr([], arguments, self.results, self.equations, notes=self.notes)

    def with_results(self, results: Sequence[Atom]) -> Jaxpr:
        """The same with other results."""
        return Jaxpr(self.constants, self.arguments, list(results), self.equations, self.values, self.notes)

    def pruned(self, keep: Sequence[bool]) -> Jaxpr:
        """The same with some of its results alone, and what these need."""
        return without_dead(self, keep, instantiate=True)[0]


def inner_jaxprs(equation: Equation) -> Iterator[Jaxpr]:
    """The jaxprs among the parameters of an equation."""
    for value in equation.parameters.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Jaxpr):
                yield part


def has_effect(equation: Equation) -> bool:
    """Whether an equation does something besides giving its results."""
    return equation.primitive.has_effect or any(inner.has_effect for inner in inner_jaxprs(equation))


def evaluate(jaxpr: Jaxpr, arguments: Sequence[Any], constants: Sequence[Any] | None = None) -> list[Any]:
    """Give the equations one by one to the current trace; what the results are."""
    values = jaxpr.values if constants is None else constants
    held: dict[Var, Any] = dict(zip(jaxpr.constants, values, strict=True))
    held.update(zip(jaxpr.arguments, arguments, strict=True))

    def read(atom: Atom) -> Any:
        return atom.value if isinstance(atom, Literal) else held[atom]

    run = run_now()
    drawn = run.recorder if run.trace is run.evaluation else None
    only_computes = run.trace is run.evaluation and (drawn is None or drawn.is_full)
    if drawn is not None and jaxpr.notes:
        drawn.name_noted(jaxpr.notes, held)
    for is_backward, pieces in parts_of(jaxpr):
        with drawn.backward() if drawn is not None and is_backward else nullcontext():
            for piece in pieces:
                if only_computes and piece.run(held, run.budget):
                    continue
                for equation in piece.equations:
                    if only_computes and equation.primitive.only_computes:
                        product = equation.product if run.is_compiled else None
                        found = run.evaluation.computed(
                            equation,
                            [*map(read, equation.inputs)],
                            [] if product is None else [*map(read, product.sources)],
                        )
                        held.update(zip(equation.outputs, found, strict=True))
                        continue
                    of = run.forward_of if equation.of is None else equation.of
                    forward = held.get(of, run.forward_of) if isinstance(of, Var) else of
                    with (
                        run.gradient_of(forward),
                        nullcontext() if drawn is None else drawn.at(equation.place),
                    ):
                        compute = _compute_of(run, equation, read)
                        found = _processed(run, equation, [*map(read, equation.inputs)], compute)
                    outs = found if equation.primitive.several else [found]
                    held.update(zip(equation.outputs, outs, strict=True))
    if drawn is not None:
        for note in jaxpr.notes:
            drawn.enter_noted(note, held)
    return [read(atom) for atom in jaxpr.results]


def _compute_of(run: JaxRun, equation: Equation, read: Callable[[Atom], Any]) -> Any:
    """What computes one equation: where it is compiled, perhaps together with a product."""
    product, compute = equation.product, equation.compute
    if product is None or not run.is_compiled or run.trace is not run.evaluation:
        return compute
    sources = [constant(read(atom)).array for atom in product.sources]

    def together(*arrays: Any, **parameters: Any) -> Any:
        found = product.compute(equation.primitive.name, arrays, sources, parameters)
        return compute(*arrays, **parameters) if found is None and compute is not None else found

    return together


def _processed(run: JaxRun, equation: Equation, values: list[Any], compute: Any) -> Any:
    """Give one equation to the current trace."""
    primitive = equation.primitive
    if run.trace is run.evaluation and compute is not primitive.compute:
        return run.evaluation.computed_by(compute, primitive, [*map(constant, values)], equation.parameters)
    return primitive(*values, **equation.parameters)


def parts_of(jaxpr: Jaxpr) -> list[tuple[bool, list[Straight]]]:
    """Its equations: whether they belong to a gradient, and in pieces that only compute, or do more."""
    if jaxpr.parts is None:
        _mark_constants(jaxpr)
        mark_products(jaxpr.equations, jaxpr.results)
        jaxpr.parts = [
            (
                is_backward,
                [
                    Straight(list(piece), only_computes)
                    for only_computes, piece in groupby(equations, _only_computes)
                ],
            )
            for is_backward, equations in groupby(jaxpr.equations, lambda equation: equation.is_backward)
        ]
    return jaxpr.parts


def _mark_constants(jaxpr: Jaxpr) -> None:
    """Mark the equations between numbers of the program text, and between what these give."""
    constant_vars: set[Atom] = set()
    for equation in jaxpr.equations:
        if all(isinstance(atom, Literal) or atom in constant_vars for atom in equation.inputs):
            equation.is_constant = True
            constant_vars.update(equation.outputs)


def _only_computes(equation: Equation) -> bool:
    return equation.primitive.only_computes and not equation.primitive.has_effect


def evaluate_compiled(jaxpr: Jaxpr, arguments: Sequence[Any]) -> list[Any]:
    """The results of a jaxpr that is compiled as a whole: products are rounded together with their sums."""
    run = run_now()
    outer, run.is_compiled = run.is_compiled, True
    try:
        return evaluate(jaxpr, arguments)
    finally:
        run.is_compiled = outer


def as_function(jaxpr: Jaxpr) -> Callable[..., list[Any]]:
    """The jaxpr as a function of its arguments."""
    return lambda *arguments: evaluate(jaxpr, arguments)


def without_dead(
    jaxpr: Jaxpr, used: Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool]]:
    """What is needed for some of the results; which of the arguments that is.

    instantiate: the arguments that stay, though they may not be used.
    """
    needed: set[Var] = {
        atom for atom, use in zip(jaxpr.results, used, strict=True) if use and isinstance(atom, Var)
    }
    kept: list[Equation] = []
    for equation in reversed(jaxpr.equations):
        outs = [var in needed for var in equation.outputs]
        rule = equation.primitive.dead
        if rule is not None:
            ins, smaller = rule(outs, equation)
        elif any(outs) or has_effect(equation):
            ins, smaller = [True] * len(equation.inputs), equation
        else:
            continue
        if smaller is not None:
            kept.append(smaller)
        needed.update(
            atom for atom, use in zip(equation.inputs, ins, strict=True) if use and isinstance(atom, Var)
        )
    staying = [instantiate] * len(jaxpr.arguments) if isinstance(instantiate, bool) else instantiate
    uses = [var in needed or stays for var, stays in zip(jaxpr.arguments, staying, strict=True)]
    pairs = [(v, c) for v, c in zip(jaxpr.constants, jaxpr.values, strict=True) if v in needed]
    return (
        Jaxpr(
            [var for var, _ in pairs],
            [var for var, use in zip(jaxpr.arguments, uses, strict=True) if use],
            [atom for atom, use in zip(jaxpr.results, used, strict=True) if use],
            kept[::-1],
            [value for _, value in pairs],
            jaxpr.notes,
        ),
        uses,
    )


def forwarded_inputs(jaxpr: Jaxpr) -> list[int | None]:
    """For each result the argument that it is, or None."""
    places = {id(var): index for index, var in enumerate(jaxpr.arguments)}
    return [places.get(id(atom)) for atom in jaxpr.results]


def moved_back(jaxpr: Jaxpr, moves: Sequence[bool]) -> Jaxpr:
    """The same with some of the arguments after the others."""
    pairs = list(zip(jaxpr.arguments, moves, strict=True))
    arguments = [var for var, move in pairs if not move] + [var for var, move in pairs if move]
    return Jaxpr(jaxpr.constants, arguments, jaxpr.results, jaxpr.equations, jaxpr.values)


def types_of(values: Sequence[Any]) -> list[Aval]:
    """The types of values."""
    return [aval_of(value) for value in values]
