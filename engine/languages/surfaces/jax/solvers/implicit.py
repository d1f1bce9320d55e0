"""Solutions of an equation: `lax.custom_root`, `lax.custom_linear_solve`, conjugate gradients.

The program's own solver computes; gradients come from the equation (the implicit function theorem), and never
from the steps of the solver. Source: Griewank & Walther, Evaluating Derivatives (2008), chapter 15;
Hestenes & Stiefel, Methods of conjugate gradients (1952).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import Flat, as_value, trees
from engine.languages.surfaces.jax.core.errors import concretization, type_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, as_function, evaluate
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, jvp
from engine.languages.surfaces.jax.core.transposing import Undefined, backward
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of, known
from engine.languages.surfaces.jax.lax.arithmetic import neg, sub
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.solvers.inner import each_for_itself, written
from engine.languages.surfaces.left_out import takes_only

Leaves = list[Any]
Solver = Callable[[Callable[..., Leaves], Leaves], Leaves]

# -- A x = b -----------------------------------------------------------------------------------------

linear_solve_p = Primitive("custom_linear_solve", several=True)


def _computed(solver: Any, jaxpr: Jaxpr, constants: Sequence[Any], given: Sequence[Any]) -> Leaves:
    """What a solver of the program gives. Its steps are not drawn."""
    run = run_now()
    recorder, run.recorder = run.recorder, None
    try:
        with run.under(run.evaluation):
            values = [JaxArray(array) for array in given]
            fixed = [JaxArray(array) for array in constants]
            found = solver(lambda *xs: evaluate(jaxpr, [*fixed, *xs]), values)
            return [np.asarray(one.array, array.dtype) for one, array in zip(found, given, strict=True)]
    finally:
        run.recorder = recorder


def _solve(*values: Any, _count: int, _jaxpr: Jaxpr, _solve: Any, **_: Any) -> Leaves:
    return _computed(_solve, _jaxpr, values[:_count], values[_count:])


def _solve_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Leaves, Leaves]:
    """A ẋ = ḃ - Ȧ x."""
    count, jaxpr = parameters["_count"], parameters["_jaxpr"]
    found = linear_solve_p(*primals, **parameters)
    fixed, moved = list(primals[:count]), list(tangents[:count])
    _, turned = jvp(lambda *constants: as_function(jaxpr)(*constants, *found), fixed, moved)
    right = [sub(instantiated(b), instantiated(a)) for b, a in zip(tangents[count:], turned, strict=True)]
    return found, linear_solve_p(*fixed, *right, **parameters)


def _solve_transpose(cts: Any, *values: Any, **parameters: Any) -> list[Any]:
    """The cotangent of b solves the system of the transpose of A."""
    count, jaxpr, back = parameters["_count"], parameters["_jaxpr"], parameters["_back"]
    if back is None:
        raise type_error(
            "transpose_solve required for backwards mode automatic differentiation of custom_linear_solve",
            "对 custom_linear_solve 反向求导需要 transpose_solve（或 symmetric=True）。",
        )
    coming = [instantiated(ct) for ct in cts]
    fixed = list(values[:count])
    turned = jaxpr if parameters["_symmetric"] else _transposed(jaxpr, count, coming)
    swapped = {"_jaxpr": turned, "_solve": back, "_back": parameters["_solve"]}
    found: Leaves = linear_solve_p(*fixed, *coming, **{**parameters, **swapped})
    return [*([None] * count), *found]


def _transposed(jaxpr: Jaxpr, count: int, coming: Sequence[Any]) -> Jaxpr:
    """Aᵀ as a jaxpr of what A is made of, then of a vector."""

    def turn(*values: Any) -> Leaves:
        unknown = [Undefined(aval_of(ct)) for ct in coming]
        outs = backward(jaxpr, [], [*values[:count], *unknown], values[count:])
        return [instantiated(ct) for ct in outs[count:]]

    return trace_to_jaxpr(turn, [*jaxpr.in_avals[:count], *map(aval_of, coming)])


linear_solve_p.compute = _solve
linear_solve_p.types = lambda *avals, _count, **_: [aval.strong() for aval in avals[_count:]]
linear_solve_p.tangent, linear_solve_p.transpose = _solve_tangent, _solve_transpose
each_for_itself(linear_solve_p)


def linear_solve(
    matvec: Callable[..., Leaves], b: Leaves, solve: Solver, back: Solver | None, symmetric: bool
) -> Leaves:
    """x of matvec(x) = b, with gradients by the system itself."""
    jaxpr, constants = written(matvec, [aval_of(one).strong() for one in b])
    return list(
        linear_solve_p(
            *constants,
            *b,
            _count=len(constants),
            _jaxpr=jaxpr,
            _solve=solve,
            _back=back,
            _symmetric=symmetric,
        )
    )


@takes_only(has_aux=(False,))
def custom_linear_solve(
    interpreter: Interpreter,
    matvec: Any,
    b: Any,
    solve: Any,
    transpose_solve: Any = None,
    symmetric: Any = False,
    has_aux: Any = False,
) -> Any:
    """x of matvec(x) = b by a solver of the program."""
    leaves, structure = trees().flatten(b)
    values = [as_value(leaf) for leaf in leaves]
    flat = Flat(interpreter, matvec, _one(structure))

    def by(function: Any) -> Any:
        return None if function is None else _program_solver(interpreter, function, structure)

    back = by(solve) if symmetric else by(transpose_solve)
    found = linear_solve(flat, values, by(solve), back, bool(symmetric))
    return trees().unflatten(structure, found)


def _one(structure: Any) -> Any:
    """The structure of the arguments of a function of one tree."""
    return trees().flatten(((trees().unflatten(structure, range(structure.count)),), {}))[1]


def _program_solver(interpreter: Interpreter, function: Any, structure: Any) -> Solver:
    def solve(matvec: Callable[..., Leaves], b: Leaves) -> Leaves:
        native = _native("matvec", matvec, structure)
        found = interpreter.call(function, [native, trees().unflatten(structure, b)], {})
        return [as_value(leaf) for leaf in trees().up_to(structure, found)]

    return solve


def _native(name: str, function: Callable[..., Leaves], structure: Any) -> Native:
    """A function of flat values as one of a tree."""

    def call(x: Any) -> Any:
        found = function(*(as_value(leaf) for leaf in trees().up_to(structure, x)))
        return trees().unflatten(structure, found)

    return Native(name, call, borrowed=True)


# -- f(x) = 0 ----------------------------------------------------------------------------------------

root_p = Primitive("custom_root", several=True)


def _root(*values: Any, _count: int, _jaxpr: Jaxpr, _solve: Any, **_: Any) -> Leaves:
    return _computed(_solve, _jaxpr, values[:_count], values[_count:])


def _root_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Leaves, Leaves]:
    """(∂f/∂x) ẋ = -ḟ, solved by the program's own function."""
    count, jaxpr = parameters["_count"], parameters["_jaxpr"]
    found = root_p(*primals, **parameters)
    fixed = list(primals[:count])
    _, change = jvp(lambda *constants: as_function(jaxpr)(*constants, *found), fixed, list(tangents[:count]))

    def slope(*directions: Any) -> Leaves:
        _, out = jvp(lambda *xs: as_function(jaxpr)(*fixed, *xs), found, list(directions))
        return [instantiated(one) for one in out]

    moved = parameters["_tangent_solve"](slope, [instantiated(one) for one in change])
    return found, [neg(one) for one in moved]


root_p.compute = _root
root_p.types = lambda *avals, _count, **_: list(avals[_count:])
root_p.tangent = _root_tangent
each_for_itself(root_p)


@takes_only(has_aux=(False,))
def custom_root(
    interpreter: Interpreter,
    f: Any,
    initial_guess: Any,
    solve: Any,
    tangent_solve: Any,
    has_aux: Any = False,
) -> Any:
    """x of f(x) = 0 by a solver of the program, with gradients by the equation."""
    leaves, structure = trees().flatten(initial_guess)
    guess = [as_value(leaf) for leaf in leaves]
    jaxpr, constants = written(Flat(interpreter, f, _one(structure)), list(map(aval_of, guess)))
    found = root_p(
        *constants,
        *guess,
        _count=len(constants),
        _jaxpr=jaxpr,
        _solve=_program_solver(interpreter, solve, structure),
        _tangent_solve=_program_solver(interpreter, tangent_solve, structure),
    )
    return trees().unflatten(structure, list(found))


# -- conjugate gradients -----------------------------------------------------------------------------


@takes_only(M=(None,))
def cg(
    interpreter: Interpreter,
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    tol: Any = 1e-5,
    atol: Any = 0.0,
    maxiter: Any = None,
    M: Any = None,
) -> tuple[Any, None]:
    """x of A x = b for a symmetric positive A, a matrix or a function; and None."""
    leaves, structure = trees().flatten(b)
    values = [as_value(leaf) for leaf in leaves]
    types = [aval_of(x) for x in values]
    starts = (
        [np.zeros(one.shape, one.dtype) for one in types]
        if x0 is None
        else [_known(as_value(x)) for x in trees().up_to(structure, x0)]
    )
    most = 10 * sum(int(np.prod(shape_of(x))) for x in values) if maxiter is None else int(maxiter)
    matvec = _operator(interpreter, A, structure)

    def solve(apply: Callable[..., Leaves], right: Leaves) -> Leaves:
        return _conjugate(apply, [one.array for one in right], starts, float(tol), float(atol), most)

    found = linear_solve(matvec, values, solve, solve, True)
    return trees().unflatten(structure, found), None


def _operator(interpreter: Interpreter, A: Any, structure: Any) -> Callable[..., Leaves]:
    """A matrix, or a function of the program, as a function of flat values."""
    if not hasattr(A, "aval"):
        return Flat(interpreter, A, _one(structure))
    if len(shape_of(A)) != 2 or shape_of(A)[0] != shape_of(A)[1]:
        raise type_error(
            f"linear operator must be a square matrix, but has shape: {shape_of(A)}",
            f"线性算子必须是方阵，但形状是 {shape_of(A)}。",
        )
    return lambda *xs: [JNP["matmul"](A, xs[0])]


def _known(x: Any) -> Any:
    """The numbers of a first guess. Raises: ConcretizationTypeError where it is traced."""
    array = known(x)
    if array is None:
        raise concretization(x, "It arose in `cg(x0=...)`, which takes a known first guess here.")
    return array


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(np.vdot(x, y) for x, y in zip(a, b, strict=True))


def _conjugate(
    apply: Callable[..., Leaves], b: list[Any], x: list[Any], tol: float, atol: float, most: int
) -> Leaves:
    """p is made conjugate to those before it; |r|² is at most the larger of tol² |b|² and atol²."""

    def times(p: list[Any]) -> list[Any]:
        return [one.array for one in apply(*map(JaxArray, p))]

    limit = max(tol**2 * float(_dot(b, b)), atol**2)
    r = [y - a for y, a in zip(b, times(x), strict=True)]
    p, size, turn = r, _dot(r, r), 0
    while size > limit and turn < most:
        run_now().budget.step()
        turned = times(p)
        alpha = size / _dot(p, turned)
        x = [one + alpha * way for one, way in zip(x, p, strict=True)]
        r = [one - alpha * way for one, way in zip(r, turned, strict=True)]
        after = _dot(r, r)
        p = [one + after / size * way for one, way in zip(r, p, strict=True)]
        size, turn = after, turn + 1
    return [JaxArray(one.astype(y.dtype)) for one, y in zip(x, b, strict=True)]
