"""Tracing a function into a jaxpr: each primitive that it uses becomes an equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.jaxpr import (
    Atom,
    Equation,
    GradientNote,
    Jaxpr,
    Literal,
    Var,
    without_dead,
)
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import Constant, Tracer, aval_of, constant, typed


class StagingTracer(Tracer):
    """A variable of the jaxpr that is being written, or a literal of it."""

    __slots__ = ("atom",)

    def __init__(self, trace: StagingTrace, atom: Atom) -> None:
        super().__init__(trace, atom.aval)
        self.atom = atom

    def lowered(self) -> Any:
        """The number that a literal is."""
        return self.atom.value if isinstance(self.atom, Literal) else self

    def short(self) -> str:
        """How it prints."""
        return f"JitTracer({shown_aval(self.aval)})"


def shown_aval(aval: Aval) -> str:
    """A type as a tracer prints it: `~float32[]` where it is weak."""
    return f"{'~' if aval.weak else ''}{aval.long()}"


class StagingTrace:
    """Writes equations.

    name, what: of which function, and what it is traced for; paths: how its arguments are reached.
    for_tangents: whether it is a linear function's; only_types: whether nothing is to be made of it.
    takes_cells: whether its function may use references from outside; cells: those, each with its own here.
    """

    def __init__(
        self, name: str = "", for_tangents: bool = False, what: str = "jit", only_types: bool = False
    ) -> None:
        self.name = name
        self.what = what
        self.only_types = only_types
        self.paths: Sequence[str] = ()
        self.for_tangents = for_tangents
        self.arguments: list[Var] = []
        self.equations: list[Equation] = []
        self.held: dict[int, tuple[Any, StagingTracer]] = {}
        self.notes: list[GradientNote] = []
        self.takes_cells = False
        self.cells: dict[int, tuple[Any, Any]] = {}
        self.is_over = False

    def argument(self, aval: Aval) -> StagingTracer:
        """A new argument."""
        var = Var(aval)
        self.arguments.append(var)
        return StagingTracer(self, var)

    def tracer(self, value: Any) -> StagingTracer:
        """What stands for a value in this jaxpr: itself, a literal or a constant."""
        if isinstance(value, StagingTracer) and value.trace is self:
            return value
        found = self.held.get(id(value))
        if found is not None:
            return found[1]
        if isinstance(value, Constant) and value.array.ndim == 0:
            return StagingTracer(self, Literal(value))
        made = StagingTracer(self, Var(aval_of(value)))
        self.held[id(value)] = (value, made)  # the value stays alive, and so its identity
        return made

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Write a primitive down."""
        check_not_leaked(values, self)
        tracers = [self.tracer(value) for value in values]
        if primitive.stage is not None:
            found = primitive.stage(self, tracers, parameters)
            if found is not None:
                return found
        return self.write(primitive, tracers, parameters)

    def write(self, primitive: Primitive, tracers: Sequence[StagingTracer], parameters: Any) -> Any:
        """Write an equation, but where its result is one of its arguments."""
        avals = [tracer.aval for tracer in tracers]
        forward = None if primitive.forward is None else primitive.forward(*avals, **parameters)
        if forward is not None:
            return tracers[forward]
        run = run_now()
        run.budget.step()
        outs = [Var(aval) for aval in primitive.out_types(avals, parameters)]
        for var in () if self.only_types else outs:
            run.budget.check_elements(var.aval.shape)
        of = run.forward_of.atom if isinstance(run.forward_of, StagingTracer) else run.forward_of
        inputs = [tracer.atom for tracer in tracers]
        place = None if run.recorder is None else run.recorder.place
        self.equations.append(Equation(primitive, inputs, outs, parameters, run.is_backward, of, place))
        results = [StagingTracer(self, var) for var in outs]
        return results if primitive.several else results[0]

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own for tangents, as an equation."""
        return list(rule.staged(self, [self.tracer(value) for value in values]))

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own for gradients, as an equation."""
        return list(rule.staged(self, [self.tracer(value) for value in values]))

    def sources(self, tracer: StagingTracer) -> list[str]:
        """How the arguments are reached that a variable depends on."""
        needed = {tracer.atom}
        for equation in reversed(self.equations):
            if not needed.isdisjoint(equation.outputs):
                needed.update(equation.inputs)
        pairs = zip(self.paths, self.arguments, strict=False)
        return [path for path, argument in pairs if argument in needed]

    def jaxpr(self, results: Sequence[Any]) -> Jaxpr:
        """What has been written, with these results."""
        last = [inner.value for _, inner in self.cells.values() if inner.is_written]
        atoms = [self.tracer(constant(value)).atom for value in (*results, *last)]
        pairs = [(tracer.atom, value) for value, tracer in self.held.values() if isinstance(tracer.atom, Var)]
        used = {atom for equation in self.equations for atom in equation.inputs} | set(atoms)
        pairs = [(var, value) for var, value in pairs if var in used]
        written = Jaxpr(
            [var for var, _ in pairs],
            list(self.arguments),
            atoms,
            list(self.equations),
            [value for _, value in pairs],
            self.notes,
            cells=[(cell, inner.is_written) for cell, inner in self.cells.values()],
        )
        self.is_over = True
        if self.for_tangents:
            return without_dead(written, [True] * len(atoms), instantiate=True)[0]
        return written


def check_not_leaked(values: Sequence[Any], trace: Any) -> None:
    """Raises: ProgramError for a tracer of a function whose trace is over."""
    for value in values:
        if isinstance(value, Tracer) and getattr(value.trace, "is_over", False) and value.trace is not trace:
            raise leaked(value)


def leaked(tracer: Tracer) -> Exception:
    """The error for a tracer that is used outside of the function that it was made for."""
    from engine.languages.surfaces.jax.core.errors import unexpected_tracer

    return unexpected_tracer(tracer)


def trace_to_jaxpr(
    function: Callable[..., Sequence[Any]],
    avals: Sequence[Aval],
    name: str = "",
    what: str = "jit",
    paths: Sequence[str] = (),
    only_types: bool = False,
    takes_cells: bool = False,
) -> Jaxpr:
    """The jaxpr of a function of flat arguments that gives flat results."""
    run = run_now()
    trace = StagingTrace(name, what=what, only_types=only_types)
    trace.paths, trace.takes_cells = paths, takes_cells
    tracers = [trace.argument(aval) for aval in avals]
    with run.under(trace):
        results = function(*tracers)
        return trace.jaxpr(results)


def is_scalar_literal(value: Any) -> bool:
    """Whether a jaxpr writes this value in place."""
    return isinstance(value, Constant) and value.array.ndim == 0


def scalar(value: Any, dtype: str, weak: bool = False) -> Constant:
    """A number of a type."""
    return typed(value, dtype, weak)
