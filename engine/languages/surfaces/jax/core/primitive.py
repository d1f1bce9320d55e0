"""Primitives: what each of them computes, and how each transformation treats it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError, RefusedError
from engine.languages.surfaces.jax.core.avals import BFLOAT16, Aval, cast, dtype_of, is_complex
from engine.languages.surfaces.jax.core.errors import unexpected_tracer
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, Zero, constant, kind_of, zero_tangent

PRIMITIVES: dict[str, Primitive] = {}


class Primitive:
    """One primitive under JAX's name.

    compute:   the numpy arrays of the results, of those of the arguments.
    compute_by_number: the same where a compiled function knows the last argument.
    types:     the types of the results, of those of the arguments.
    tangent:   of primals and tangents: the results and their tangents (jvp).
    transpose: of cotangents and arguments, those that are `Undefined` among them: their cotangents.
    batch:     of the length of a batch, values and the axis of each: results and their axes (vmap).
    linear:    of primals: the results, which tangents are not zero, and the linear function (linearize).
    stage:     how it is written into a jaxpr, where not as any other.
    several:   whether it gives a list.
    hidden:    parameters that a jaxpr does not write; shown: how it writes them.
    work:      element operations that it takes, of types of arguments and results.
    """

    def __init__(self, name: str, *, several: bool = False) -> None:
        self.name = name
        self.several = several
        self.compute: Callable[..., Any] | None = None
        self.compute_by_number: Callable[..., Any] | None = None
        self.types: Callable[..., Any] | None = None
        self.tangent: Callable[..., Any] | None = None
        self.transpose: Callable[..., Any] | None = None
        self.batch: Callable[..., Any] | None = None
        self.linear: Callable[..., Any] | None = None
        self.evaluate: Callable[..., Any] | None = None
        self.stage: Callable[..., Any] | None = None
        self.forward: Callable[..., Any] | None = None
        self.dead: Callable[..., Any] | None = None
        self.shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
        self.work: Callable[..., int] | None = None
        self.draw: Callable[..., Any] | None = None
        self.has_effect = False
        PRIMITIVES[name] = self

    def __call__(self, *args: Any, **parameters: Any) -> Any:
        """Give the arguments to the current trace."""
        return run_now().trace.process(self, [constant(arg) for arg in args], parameters)

    @property
    def only_computes(self) -> bool:
        """Whether evaluation is nothing but its computation."""
        return type(self) is Primitive and self.compute is not None and self.evaluate is None

    def out_types(self, avals: Sequence[Aval], parameters: Mapping[str, Any]) -> list[Aval]:
        """The types of the results."""
        assert self.types is not None
        found = self.types(*avals, **parameters)
        return list(found) if self.several else [found]


class EvalTrace:
    """Evaluation: numpy computes, and the graph is drawn."""

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
        """Compute a primitive of arrays."""
        if primitive.evaluate is not None:
            return primitive.evaluate(*values, **parameters)
        return self.computed_by(primitive.compute, primitive, values, parameters)

    def computed_by(
        self, compute: Any, primitive: Primitive, values: Sequence[Any], parameters: Mapping[str, Any]
    ) -> Any:
        """The results of a primitive, by its computation or another one for the same numbers."""
        run = run_now()
        for value in values:
            if isinstance(value, Tracer):
                raise unexpected_tracer(value)
        avals = [value.aval for value in values]
        types = primitive.out_types(avals, parameters)
        charge(primitive, avals, types, parameters)
        if any(aval.dtype == BFLOAT16 for aval in (*avals, *types)):
            compute = compute_bfloat16(primitive)
        if any(is_complex(aval.dtype) for aval in (*avals, *types)):
            compute = compute_complex(primitive)
        found = compute(*(value.array for value in values), **parameters)
        arrays = found if primitive.several else [found]
        results = [made(array, aval) for array, aval in zip(arrays, types, strict=True)]
        if run.recorder is not None:
            run.recorder.record(primitive, values, results, parameters)
        return results if primitive.several else results[0]

    def computed(self, equation: Any, values: Sequence[Any], sources: Sequence[Any] = ()) -> list[Any]:
        """The results of an equation of a jaxpr, where nothing is drawn.

        Their types, and what they cost, are worked out once for each kind of arguments.
        sources: what is multiplied in place of a product among the arguments.
        """
        primitive, parameters = equation.primitive, equation.parameters
        values = [constant(value) for value in values]
        if any(isinstance(value, Tracer) for value in values):
            found = self.process(primitive, values, parameters)
            return list(found) if primitive.several else [found]
        kinds = tuple([(one.array.dtype, one.array.shape, one.weak, one.kind) for one in values])
        known = equation.known.get(kinds)
        if known is None:
            known = equation.known[kinds] = _types_and_cost(primitive, values, parameters)
        else:
            charge_again(known[1])
        compute = equation.compute
        if any(one.kind == BFLOAT16 for one in values) or any(aval.dtype == BFLOAT16 for aval in known[0]):
            compute = compute_bfloat16(primitive)
        if any(one.array.dtype.kind == "c" for one in values) or any(is_complex(a.dtype) for a in known[0]):
            compute = compute_complex(primitive)
        given = [value.array for value in values]
        found = None
        if sources:
            multiplied = [constant(value).array for value in sources]
            found = equation.product.compute(primitive.name, given, multiplied, parameters)
        if found is None:
            found = compute(*given, **parameters)
        arrays = found if primitive.several else [found]
        return [made(array, aval) for array, aval in zip(arrays, known[0], strict=True)]

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own for tangents: the function."""
        return list(rule.function(*values))

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own for gradients: the function."""
        return list(rule.function(*values))


IN_BFLOAT16: dict[str, Callable[..., Any] | None] = {}  # filled in by `lax/bfloat16.py`


def no_bfloat16(what: str, what_zh: str = "") -> ProgramError:
    """The error for what is not known of bfloat16 digit for digit."""
    return ProgramError(
        f"{what} of bfloat16 is not supported.",
        message_zh=f"不支持 bfloat16 的{what_zh or what}。",
        code="unsupported",
        hint="Compute it in float32: x.astype(jnp.float32).",
        hint_zh="请用 float32 计算：x.astype(jnp.float32)。",
    )


def compute_bfloat16(primitive: Primitive) -> Callable[..., Any]:
    """What computes a primitive of bfloat16, of arrays of float32. Raises: where that is not known."""
    if primitive.name not in IN_BFLOAT16:
        raise no_bfloat16(f"`{primitive.name}`")
    compute = IN_BFLOAT16[primitive.name] or primitive.compute
    assert compute is not None
    run_now().has_bfloat16 = True
    return compute


IN_COMPLEX: dict[str, Callable[..., Any] | None] = {}  # filled in by `lax/numerics/complex_numbers.py`


def compute_complex(primitive: Primitive) -> Callable[..., Any]:
    """What computes a primitive of complex numbers. Raises: RefusedError where it is left out."""
    if primitive.name not in IN_COMPLEX:
        raise RefusedError(
            f"`{primitive.name}` of complex numbers is not supported.",
            message_zh=f"不支持复数的 `{primitive.name}`。",
            hint="Compute with the real and the imaginary part: jnp.real(z), jnp.imag(z), jnp.abs(z).",
            hint_zh="请用实部和虚部计算：jnp.real(z)、jnp.imag(z)、jnp.abs(z)。",
            code="refused_name",
        )
    compute = IN_COMPLEX[primitive.name] or primitive.compute
    assert compute is not None
    return compute


def made(array: Any, aval: Aval) -> JaxArray:
    """A result as an array of its type, whose elements count."""
    is_rounded = aval.dtype == BFLOAT16
    elements = cast(array, BFLOAT16) if is_rounded else np.asarray(array, dtype=dtype_of(aval))
    run_now().budget.hold(elements)
    return JaxArray(elements, aval.weak, kind_of(aval.dtype))


def charge(
    primitive: Primitive, avals: Sequence[Aval], types: Sequence[Aval], parameters: Mapping[str, Any]
) -> None:
    """Charge the budget for what is about to be made, before it is."""
    budget = run_now().budget
    budget.step()
    for aval in types:
        budget.check_elements(aval.shape)
    size = max([aval.size for aval in (*types, *avals)], default=1)
    work = size if primitive.work is None else primitive.work(avals, types, parameters)
    budget.spend(work)
    budget.check_clock()


def charge_again(work: int) -> None:
    """The same where it is known in all."""
    budget = run_now().budget
    budget.step()
    budget.spend(work)
    budget.check_clock()


def _types_and_cost(
    primitive: Primitive, values: Sequence[Any], parameters: Mapping[str, Any]
) -> tuple[list[Aval], int]:
    """The types of the results, and what was charged for them."""
    budget = run_now().budget
    avals = [value.aval for value in values]
    types = primitive.out_types(avals, parameters)
    before = budget.operations
    charge(primitive, avals, types, parameters)
    return types, budget.operations - before


def no_rule(kind: str, kind_zh: str, primitive: Primitive) -> ProgramError:
    """The error for a transformation that a primitive has no rule for."""
    said = f"{kind} for '{primitive.name}' not implemented"
    return ProgramError(
        said,
        message_zh=f"`{primitive.name}` 没有{kind_zh}。",
        code="no_gradient",
        kind="NotImplementedError",
        said=said,
    )


def unbroadcast_zero(primals: Sequence[Any]) -> list[Zero]:
    """Zero tangents of several values."""
    return [zero_tangent(primal) for primal in primals]
