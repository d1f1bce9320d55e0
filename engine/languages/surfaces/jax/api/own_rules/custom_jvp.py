"""`jax.custom_jvp`: functions with a rule of their own for tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    as_value,
    flat_arguments,
    function_name,
    many,
    trees,
)
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.own_rules.called import (
    OfNumbers,
    custom_jvp_p,
    every_argument,
    with_fixed,
)
from engine.languages.surfaces.jax.api.own_rules.rule_results import value_and_tangent
from engine.languages.surfaces.jax.core.batching import Axis, at_axis, batched
from engine.languages.surfaces.jax.core.errors import undefined
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, evaluate
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated
from engine.languages.surfaces.jax.core.values import (
    in_python,
    typed_number,
)
from engine.languages.surfaces.jax.lax.basics import like
from engine.languages.surfaces.left_out import takes_only


class JvpRule:
    """A flat function with a rule for its tangents."""

    def __init__(
        self,
        function: Callable[..., Sequence[Any]],
        rule: Callable[[Sequence[Any], Sequence[Any]], tuple[Sequence[Any], Sequence[Any]]],
        name: str,
        rule_name: str,
    ) -> None:
        self.function = function
        self.rule = rule
        self.name = name
        self.rule_name = rule_name

    def staged(self, trace: StagingTrace, tracers: Sequence[Any]) -> Any:
        """The call as an equation."""
        jaxpr = trace_to_jaxpr(self.function, [t.aval for t in tracers], self.name, "custom_jvp")
        consts = [trace.tracer(value) for value in jaxpr.values]
        inner = jaxpr.with_constants_first()
        rule = self if not consts else _taking_constants(self, inner, len(consts))
        parameters = {
            "call_jaxpr": inner,
            "jvp": self.rule_name,
            "name": self.name,
            "symbolic_zeros": False,
            "_rule": JvpRule(lambda *xs: evaluate(inner, xs), rule.rule, self.name, self.rule_name),
        }
        return trace.write(custom_jvp_p, [*consts, *tracers], parameters)

    def batched(self, size: int, axes: Sequence[Axis]) -> Any:
        """The same for a batch."""
        found: list[Axis] = []

        def call(*values: Any) -> list[Any]:
            outs, out_axes = batched(self.function, size, axes)(*values)
            found[:] = out_axes
            return outs

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            count = len(primals)

            def both(*values: Any) -> list[Any]:
                outs, moved = self.rule(values[:count], values[count:])
                return [*outs, *map(instantiated, moved)]

            outs, out_axes = batched(both, size, [*axes, *axes])(*primals, *tangents)
            half = len(outs) // 2
            merged = [
                a if a is not None else b for a, b in zip(out_axes[:half], out_axes[half:], strict=True)
            ]
            found[:] = merged
            placed = [
                x if axis == want else at_axis(x, axis, size, want or 0)
                for x, axis, want in zip(outs, out_axes, [*merged, *merged], strict=True)
            ]
            return placed[:half], placed[half:]

        made = JvpRule(call, rule, self.name, self.rule_name)
        made.out_axes = lambda: list(found)  # type: ignore[attr-defined]  # of a batch alone
        return made


def _taking_constants(rule: JvpRule, inner: Jaxpr, count: int) -> JvpRule:
    def with_constants(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return rule.rule(primals[count:], tangents[count:])

    return JvpRule(lambda *xs: evaluate(inner, xs), with_constants, rule.name, rule.rule_name)


class CustomJvp(Wrapped):
    """A function of the program under `@jax.custom_jvp`."""

    def __init__(self, interpreter: Interpreter, function: Any, nondiff: Sequence[int]) -> None:
        super().__init__(function_name(function), self._call, function)
        self.interpreter = interpreter
        self.inner = function
        self.nondiff = set(nondiff)
        self.rule_of: Any = None

    def _call(self, *args: Any, **keywords: Any) -> Any:
        if self.rule_of is None:
            raise undefined("JVP", "custom_jvp", self.name, "defjvp")
        args = tuple(every_argument(self.inner, args, keywords))
        fixed = [args[i] for i in sorted(self.nondiff)]
        moving = [x for i, x in enumerate(args) if i not in self.nondiff]
        leaves, structure = flat_arguments(moving, {})
        call = with_fixed(self.interpreter, self.inner, args, self.nondiff)
        flat = OfNumbers(self.interpreter, call, structure)

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            xs = trees().unflatten(structure.children[0], map(typed_number, primals))
            ts = trees().unflatten(structure.children[0], map(in_python, tangents))
            result = self.interpreter.call(self.rule_of, [*fixed, xs, ts], {})
            of = f"Custom JVP rule {function_name(self.rule_of)} for function {self.name} must produce"
            values, flat.structure, moved = value_and_tangent(of, result)
            return values, moved

        made = JvpRule(flat, rule, self.name, function_name(self.rule_of))
        outs = run_now().trace.custom_jvp(made, [as_value(leaf) for leaf in leaves])
        return flat.result(outs)


JVP = members_of(CustomJvp, "custom_jvp")


@JVP.method("defjvp")
@takes_only(symbolic_zeros=(False,))
def defjvp(function: CustomJvp, jvp: Any, symbolic_zeros: Any = False) -> Any:
    """The rule for the tangents: of primals and tangents the result and its tangent."""
    function.rule_of = jvp
    return jvp


@JVP.method("defjvps")
def defjvps(interpreter: Interpreter, function: CustomJvp, *jvps: Any) -> None:
    """A rule for each argument: of its tangent, the result and the primals."""

    def rule(primals: Any, tangents: Any) -> Any:
        out = interpreter.call(function, list(primals), {})
        total: Any = None
        for one, t in zip(jvps, tangents, strict=False):
            if one is not None:
                part = interpreter.call(one, [t, out, *primals], {})
                total = part if total is None else total + part
        none = [like(x, 0) for x in trees().flatten(out)[0]]
        return out, trees().unflatten(trees().flatten(out)[1], none) if total is None else total

    function.rule_of = Native("jvp", rule)


def custom_jvp(interpreter: Interpreter, fun: Any = None, nondiff_argnums: Any = (), **_: Any) -> Any:
    """A function whose tangents are computed by a rule of the program."""
    if fun is None:
        return Native("custom_jvp", lambda function: custom_jvp(interpreter, function, nondiff_argnums))
    return CustomJvp(interpreter, fun, many(nondiff_argnums, "nondiff_argnums"))
