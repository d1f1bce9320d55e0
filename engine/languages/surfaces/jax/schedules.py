"""optax's schedules: learning rates as functions of the number of steps so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import Tracer
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX

Schedule = Callable[[Any], Any]


def _schedule(function: Schedule) -> Native:
    return Native("schedule", lambda at: function(at))


@OPTAX.function("constant_schedule")
def constant_schedule(value: Any) -> Native:
    """The same rate for every step."""
    return _schedule(lambda count: value)


@OPTAX.function("exponential_decay")
def exponential_decay(
    init_value: Any,
    transition_steps: Any,
    decay_rate: Any,
    transition_begin: Any = 0,
    staircase: Any = False,
    end_value: Any = None,
) -> Native:
    """`init_value * decay_rate ** (count / transition_steps)`, in whole powers where it is a staircase."""
    bound = JNP["maximum" if decay_rate < 1.0 else "minimum"]

    def rate(count: Any) -> Any:
        since = JNP["subtract"](count, transition_begin)
        power = JNP["true_divide"](since, transition_steps)
        power = JNP["floor"](power) if staircase else power
        decayed = JNP["multiply"](init_value, JNP["power"](decay_rate, power))
        found = JNP["where"](JNP["less_equal"](since, 0), init_value, decayed)
        return found if end_value is None else bound(found, end_value)

    return _schedule(rate)


@OPTAX.function("polynomial_schedule")
def polynomial_schedule(
    init_value: Any, end_value: Any, power: Any, transition_steps: Any, transition_begin: Any = 0
) -> Native:
    """From one rate to another, along a power of what is left of the steps."""

    def rate(count: Any) -> Any:
        since = JNP["clip"](JNP["subtract"](count, transition_begin), 0, transition_steps)
        left = JNP["subtract"](1, JNP["true_divide"](since, transition_steps))
        return JNP["add"](JNP["multiply"](init_value - end_value, JNP["power"](left, power)), end_value)

    return _schedule(rate)


@OPTAX.function("linear_schedule")
def linear_schedule(
    init_value: Any, end_value: Any, transition_steps: Any, transition_begin: Any = 0
) -> Native:
    """From one rate to another in equal steps."""
    found: Native = polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin)
    return found


@OPTAX.function("cosine_decay_schedule")
def cosine_decay_schedule(init_value: Any, decay_steps: Any, alpha: Any = 0.0, exponent: Any = 1.0) -> Native:
    """Half a period of the cosine. Source: Loshchilov and Hutter, SGDR (2017)."""
    if not isinstance(decay_steps, Tracer) and not decay_steps > 0:
        raise value_error(
            "The cosine_decay_schedule requires positive decay_steps, got "
            f"decay_steps={to_str(decay_steps)}.",
            "decay_steps 必须是正数。",
        )

    def rate(count: Any) -> Any:
        now = JNP["minimum"](count, decay_steps)
        angle = JNP["true_divide"](JNP["multiply"](np.pi, now), float(decay_steps))
        wave = JNP["multiply"](0.5, JNP["add"](1, JNP["cos"](angle)))
        decayed = JNP["add"](JNP["multiply"](1 - alpha, JNP["power"](wave, exponent)), alpha)
        return JNP["multiply"](init_value, decayed)

    return _schedule(rate)


@OPTAX.function("join_schedules")
def join_schedules(interpreter: Any, schedules: Sequence[Any], boundaries: Sequence[Any]) -> Native:
    """One schedule after the other, each counting from the boundary where it begins."""

    def rate(count: Any) -> Any:
        found = interpreter.call(schedules[0], [count], {})
        for boundary, schedule in zip(boundaries, schedules[1:], strict=True):
            then = interpreter.call(schedule, [JNP["subtract"](count, boundary)], {})
            found = JNP["where"](JNP["less"](count, boundary), found, then)
        return found

    return _schedule(rate)


@OPTAX.function("warmup_cosine_decay_schedule")
def warmup_cosine_decay_schedule(
    interpreter: Any,
    init_value: Any,
    peak_value: Any,
    warmup_steps: Any,
    decay_steps: Any,
    end_value: Any = 0.0,
    exponent: Any = 1.0,
) -> Native:
    """A line up to the peak, then the cosine down."""
    alpha = 0.0 if peak_value == 0.0 else end_value / peak_value
    parts = [
        linear_schedule(init_value, peak_value, warmup_steps),
        cosine_decay_schedule(peak_value, decay_steps - warmup_steps, alpha, exponent),
    ]
    found: Native = join_schedules(interpreter, parts, [warmup_steps])
    return found


@OPTAX.function("piecewise_constant_schedule")
def piecewise_constant_schedule(init_value: Any, boundaries_and_scales: Any = None) -> Native:
    """A rate that is multiplied by a number at each boundary."""

    def rate(count: Any) -> Any:
        found: Any = init_value
        for boundary, scale in sorted((boundaries_and_scales or {}).items()):
            is_before = JNP["maximum"](0.0, JNP["sign"](JNP["subtract"](boundary, count)))
            later = JNP["multiply"](JNP["subtract"](1, is_before), JNP["multiply"](scale, found))
            found = JNP["add"](JNP["multiply"](found, is_before), later)
        return found

    return _schedule(rate)


@OPTAX.function("warmup_constant_schedule")
def warmup_constant_schedule(init_value: Any, peak_value: Any, warmup_steps: Any) -> Native:
    """A line up to the peak, where it stays."""
    found: Native = linear_schedule(init_value, peak_value, warmup_steps)
    return found


@OPTAX.function("warmup_exponential_decay_schedule")
def warmup_exponential_decay_schedule(
    interpreter: Any,
    init_value: Any,
    peak_value: Any,
    warmup_steps: Any,
    transition_steps: Any,
    decay_rate: Any,
    transition_begin: Any = 0,
    staircase: Any = False,
    end_value: Any = None,
) -> Native:
    """A line up to the peak, then powers down."""
    parts = [
        linear_schedule(init_value, peak_value, warmup_steps),
        exponential_decay(peak_value, transition_steps, decay_rate, transition_begin, staircase, end_value),
    ]
    found: Native = join_schedules(interpreter, parts, [warmup_steps])
    return found


@OPTAX.function("piecewise_interpolate_schedule")
def piecewise_interpolate_schedule(
    interpolate_type: Any, init_value: Any, boundaries_and_scales: Any = None
) -> Native:
    """From one value to the next, which is a multiple of it, along a line or half a cosine."""
    bounds, values = [0], [init_value]
    for boundary, by in sorted(dict(boundaries_and_scales or {}).items()):
        bounds.append(boundary)
        values.append(values[-1] * by)

    def part(share: Any, first: Any, last: Any) -> Any:
        if interpolate_type == "cosine":
            share = JNP["multiply"](0.5, JNP["subtract"](1, JNP["cos"](JNP["multiply"](float(np.pi), share))))
        return JNP["add"](first, JNP["multiply"](last - first, share))

    def rate(count: Any) -> Any:
        found: Any = JNP["asarray"](float(values[-1]))
        rows = list(zip(bounds, bounds[1:], values, values[1:], strict=False))
        for low, high, first, last in reversed(rows):
            share = JNP["true_divide"](JNP["subtract"](count, low), high - low)
            found = JNP["where"](JNP["less"](count, high), part(share, first, last), found)
        return found

    return _schedule(rate)


def _onecycle(kind: str, steps: Any, peak: Any, up: Any, div: Any, final: Any, down: Any = None) -> Native:
    rise, fall = {int(up * steps): div}, {} if down is None else {int(down * steps): 1.0 / div}
    last = {steps: 1.0 / (final if down is not None else div * final)}
    found: Native = piecewise_interpolate_schedule(kind, peak / div, {**rise, **fall, **last})
    return found


@OPTAX.function("cosine_onecycle_schedule")
def cosine_onecycle_schedule(
    transition_steps: Any,
    peak_value: Any,
    pct_start: Any = 0.3,
    div_factor: Any = 25.0,
    final_div_factor: Any = 1e4,
) -> Native:
    """Half a cosine up, and one down. Source: Smith and Topin, Super-convergence (2017)."""
    return _onecycle("cosine", transition_steps, peak_value, pct_start, div_factor, final_div_factor)


@OPTAX.function("linear_onecycle_schedule")
def linear_onecycle_schedule(
    transition_steps: Any,
    peak_value: Any,
    pct_start: Any = 0.3,
    pct_final: Any = 0.85,
    div_factor: Any = 25.0,
    final_div_factor: Any = 1e4,
) -> Native:
    """A line up, one down, and a last one further down."""
    return _onecycle(
        "linear", transition_steps, peak_value, pct_start, div_factor, final_div_factor, pct_final
    )


@OPTAX.function("sgdr_schedule")
def sgdr_schedule(interpreter: Any, cosine_kwargs: Any) -> Native:
    """Cosines that begin again, each with a warm-up. Source: Loshchilov and Hutter, SGDR (2017)."""
    parts, bounds, total = [], [], 0
    for keywords in cosine_kwargs:
        parts.append(warmup_cosine_decay_schedule(interpreter, **keywords))
        total += keywords["decay_steps"]
        bounds.append(total)
    found: Native = join_schedules(interpreter, parts, bounds[:-1])
    return found


for _name in tuple(OPTAX.members):
    if _name.endswith(("_schedule", "exponential_decay", "join_schedules")) and "." not in _name:
        OPTAX.value(OPTAX.members[_name], f"schedules.{_name}")
