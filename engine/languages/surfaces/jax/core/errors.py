"""JAX's own errors: which class each is, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.surfaces.jax.core.values import Tracer

DOCS = "https://docs.jax.dev/en/latest/errors.html#jax.errors."

# JAX's classes of errors, each with the one that it is a kind of.
CLASSES = {
    "JAXTypeError": "TypeError",
    "JAXIndexError": "IndexError",
    "ConcretizationTypeError": "JAXTypeError",
    "TracerBoolConversionError": "ConcretizationTypeError",
    "TracerArrayConversionError": "JAXTypeError",
    "TracerIntegerConversionError": "JAXTypeError",
    "UnexpectedTracerError": "JAXTypeError",
    "NonConcreteBooleanIndexError": "JAXIndexError",
    "KeyReuseError": "RuntimeError",
}


def type_error(said: str, zh: str, hint: str = "", hint_zh: str = "", code: str = "type_mismatch") -> Any:
    """A TypeError with JAX's words."""
    return ProgramError(
        said, message_zh=zh, hint=hint, hint_zh=hint_zh, code=code, kind="TypeError", said=said
    )


def value_error(said: str, zh: str, hint: str = "", hint_zh: str = "", code: str = "bad_value") -> Any:
    """A ValueError with JAX's words."""
    return ProgramError(
        said, message_zh=zh, hint=hint, hint_zh=hint_zh, code=code, kind="ValueError", said=said
    )


def not_implemented(said: str, zh: str) -> ProgramError:
    """A NotImplementedError with JAX's words."""
    return ProgramError(said, message_zh=zh, code="unsupported", kind="NotImplementedError", said=said)


def undefined(rule: str, decorator: str, name: str, method: str) -> ProgramError:
    """An AttributeError: a function has no derivative of its own yet."""
    said = f"No {rule} defined for {decorator} function {name} using {method}."
    zh = f"{decorator} 函数 {name} 还没有用 {method} 定义导数。"
    return ProgramError(said, message_zh=zh, code="unknown_attribute", kind="AttributeError", said=said)


def index_error(
    said: str, zh: str, code: str = "bad_index", hint: str = "", hint_zh: str = ""
) -> ProgramError:
    """An IndexError with JAX's words."""
    return ProgramError(
        said, message_zh=zh, hint=hint, hint_zh=hint_zh, code=code, kind="IndexError", said=said
    )


def _of_class(kind: str, text: str, zh: str, hint: str, hint_zh: str) -> ProgramError:
    return ProgramError(
        text.split("\n")[0],
        message_zh=zh,
        hint=hint,
        hint_zh=hint_zh,
        code="traced_value",
        kind=kind,
        said=f"{text}\nSee {DOCS}{kind}",
    )


def innermost(tracer: Tracer) -> Any:
    """The tracer that has no number for what a tracer stands for."""
    value: Any = tracer
    while isinstance(inner := getattr(value, "primal", None), Tracer):
        value = inner
    return value


def origin(tracer: Tracer) -> str:
    """Which function was traced, for the text of an error."""
    inner = innermost(tracer)
    name = getattr(inner.trace, "name", "")
    if not name:
        return ""
    while_tracing = f"\nThe error occurred while tracing the function {name} for {inner.trace.what}. "
    sources = inner.trace.sources(inner)
    if not sources:
        return while_tracing
    values, arguments = ("value", "argument") if len(sources) == 1 else ("values", "arguments")
    return (
        f"{while_tracing}This concrete value was not available in Python because it depends on the {values} "
        f"of the {arguments} {_listed(sources)}."
    )


def _listed(names: Sequence[str]) -> str:
    """`x`, `x and y`, or `x, y, and z`."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def described(tracer: Tracer) -> str:
    """`traced array with shape float32[3]`."""
    return f"traced array with shape {tracer.aval.long()}"


USE_CONDITION = ("Use jax.lax.cond, jnp.where, or mark the argument static.",)


def bool_conversion(tracer: Tracer) -> ProgramError:
    """`if x > 0:` where x is traced."""
    return _of_class(
        "TracerBoolConversionError",
        f"Attempted boolean conversion of {described(tracer)}.{origin(tracer)}",
        f"在 Python 中对跟踪中的数组（{tracer.aval.long()}）取真假值：此时它还没有数值。",
        "Use jnp.where or jax.lax.cond, or static_argnums for an argument that decides the way.",
        "请使用 jnp.where 或 jax.lax.cond；决定走哪条路的参数可用 static_argnums 标明。",
    )


def concretization(tracer: Tracer, context: str = "") -> ProgramError:
    """`float(x)` where x is traced; context: a line on what asked for the value."""
    return _of_class(
        "ConcretizationTypeError",
        "Abstract tracer value encountered where concrete value is expected: "
        f"{described(tracer)}\n{context}{origin(tracer)}\n",
        f"这里需要具体的数值，但得到的是跟踪中的数组（{tracer.aval.long()}）。",
        "Keep it an array (x.astype(float)), or mark the argument static.",
        "请保持为数组（x.astype(float)），或把参数标为静态。",
    )


def number_conversion(tracer: Tracer, wanted: str) -> ProgramError:
    """`float(x)`, `int(x)` or `complex(x)` where x is traced."""
    return concretization(
        tracer,
        f"The problem arose with the `{wanted}` function. If trying to convert the data type of a value, try "
        f"using `x.astype({wanted})` or `jnp.array(x, {wanted})` instead.",
    )


def integer_conversion(tracer: Tracer) -> ProgramError:
    """`range(x)` where x is traced."""
    return _of_class(
        "TracerIntegerConversionError",
        f"The __index__() method was called on {described(tracer)}{origin(tracer)}",
        f"这里需要具体的整数，但得到的是跟踪中的数组（{tracer.aval.long()}）。",
        "Mark the argument static with static_argnums, or use jax.lax.fori_loop.",
        "请用 static_argnums 把参数标为静态，或使用 jax.lax.fori_loop。",
    )


def array_conversion(tracer: Tracer) -> ProgramError:
    """`np.sin(x)` where x is traced."""
    return _of_class(
        "TracerArrayConversionError",
        f"The numpy.ndarray conversion method __array__() was called on {described(tracer)}{origin(tracer)}",
        f"numpy 不能处理跟踪中的数组（{tracer.aval.long()}）：此时它还没有数值。",
        "Use the function of jax.numpy (jnp) of the same name.",
        "请使用 jax.numpy（jnp）中的同名函数。",
    )


def boolean_index(tracer: Any) -> ProgramError:
    """`x[x > 0]` where x is traced."""
    return _of_class(
        "NonConcreteBooleanIndexError",
        f"Array boolean indices must be concrete; got {tracer.aval.short()}\n",
        "布尔下标必须是具体的数值，不能是跟踪中的数组。",
        "Use jnp.where(condition, x, other), which keeps the shape.",
        "请使用保持形状的 jnp.where(condition, x, other)。",
    )


TRACERS_OF_JAX = {
    "StagingTracer": "DynamicJaxprTracer",
    "JvpTracer": "JVPTracer",
    "GradTracer": "LinearizeTracer",
}


def unexpected_tracer(tracer: Tracer) -> ProgramError:
    """A tracer outside of the function that it was made for."""
    kind = TRACERS_OF_JAX.get(type(tracer).__name__, type(tracer).__name__)
    name, what = getattr(tracer.trace, "name", ""), getattr(tracer.trace, "what", "jit")
    traced = (
        f"\nThe function being traced when the value leaked was {name} traced for {what}." if name else ""
    )
    return _of_class(
        "UnexpectedTracerError",
        "Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a "
        f"reference to an intermediate value with type {tracer.aval.long()} wrapped in a {kind} "
        f"to escape the "
        "scope of the transformation.\nJAX transformations require that functions explicitly return their "
        f"outputs, and disallow saving intermediate values to global state.{traced}",
        "遇到了意料之外的跟踪值：被 JAX 变换的函数把中间值存到了外面，函数结束后又使用它。",
        "Return the value from the function, and use what the call gives.",
        "请从函数中返回该值，再使用调用的结果。",
    )
