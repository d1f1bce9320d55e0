"""`jax.example_libraries.stax`: layers as pairs of functions, to make parameters and to apply them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax import initializers, nn
from engine.languages.surfaces.jax.api import windows
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random.table import FUNCTIONS as RANDOM

Layer = tuple[Native, Native]
Shape = tuple[int, ...]


def layer(init: Callable[..., Any], apply: Callable[..., Any]) -> Layer:
    """The pair that a program calls."""
    return Native("init_fun", init, borrowed=True), Native("apply_fun", apply, borrowed=True)


def _keys(rng: Any, count: int) -> list[Any]:
    keys = RANDOM["split"](rng, count)
    return [getitem(keys, i) for i in range(count)]


# -- layers with parameters --------------------------------------------------------------------------


def dense(
    interpreter: Interpreter,
    out_dim: Any,
    W_init: Any = None,
    b_init: Any = None,  # JAX's name
) -> Layer:
    """x W + b."""
    weights, biases = W_init or initializers.FUNCTIONS["glorot_normal"](), b_init or initializers.normal()

    def init(rng: Any, input_shape: Any) -> Any:
        first, second = _keys(rng, 2)
        shape = tuple(input_shape)
        w = interpreter.call(weights, [first, (shape[-1], out_dim)], {})
        return (*shape[:-1], out_dim), (w, interpreter.call(biases, [second, (out_dim,)], {}))

    def apply(params: Any, inputs: Any, **_: Any) -> Any:
        w, b = params
        return JNP["add"](JNP["dot"](inputs, w), b)

    return layer(init, apply)


def general_conv(
    interpreter: Interpreter,
    dimension_numbers: Any,
    out_chan: Any,
    filter_shape: Any,
    strides: Any = None,
    padding: Any = "VALID",
    W_init: Any = None,  # JAX's name
    b_init: Any = None,
) -> Layer:
    """A convolution, and a bias for each channel."""
    images, kernels, results = dimension_numbers
    window = tuple(filter_shape)
    steps = tuple(strides) if strides else (1,) * len(window)
    weights = W_init or initializers.FUNCTIONS["glorot_normal"](kernels.index("I"), kernels.index("O"))
    biases = b_init or initializers.normal(1e-6)

    def init(rng: Any, input_shape: Any) -> Any:
        left = iter(window)
        sizes = {"O": out_chan, "I": tuple(input_shape)[images.index("C")]}
        shape = tuple(sizes[c] if c in sizes else next(left) for c in kernels)
        lengths = _places(tuple(input_shape), images, window, steps, padding)
        out = {"N": tuple(input_shape)[images.index("N")], "C": out_chan}
        spatial = iter(lengths)
        first, second = _keys(rng, 2)
        w = interpreter.call(weights, [first, shape], {})
        b = interpreter.call(biases, [second, tuple(out_chan if c == "C" else 1 for c in results)], {})
        return tuple(out[c] if c in out else next(spatial) for c in results), (w, b)

    def apply(params: Any, inputs: Any, **_: Any) -> Any:
        w, b = params
        found = windows.conv_general_dilated(
            inputs, w, steps, padding, None, None, dimension_numbers=(images, kernels, results)
        )
        return JNP["add"](found, b)

    return layer(init, apply)


def _places(shape: Shape, spec: str, window: Shape, steps: Shape, padding: Any) -> list[int]:
    """How many windows there are along each axis of an image."""
    lengths = [shape[i] for i, c in enumerate(spec) if c not in "NC"]
    pads = windows.paddings(padding, lengths, window, steps)
    rows = zip(lengths, window, steps, pads, strict=True)
    return [(n + low + high - size) // step + 1 for n, size, step, (low, high) in rows]


def batch_norm(
    interpreter: Interpreter,
    axis: Any = (0, 1, 2),
    epsilon: Any = 1e-5,
    center: Any = True,
    scale: Any = True,
    beta_init: Any = initializers.zeros,
    gamma_init: Any = initializers.ones,
) -> Layer:
    """Values with mean 0 and variance 1 over a batch, times γ, plus β."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)

    def made(how: Any, key: Any, shape: Shape) -> Any:
        return how(key, shape) if callable(how) else interpreter.call(how, [key, shape], {})

    def init(rng: Any, input_shape: Any) -> Any:
        shape = tuple(d for i, d in enumerate(input_shape) if i not in axes)
        first, second = _keys(rng, 2)
        beta = made(beta_init, first, shape) if center else ()
        return tuple(input_shape), (beta, made(gamma_init, second, shape) if scale else ())

    def apply(params: Any, x: Any, **_: Any) -> Any:
        beta, gamma = params
        places = tuple(None if i in axes else slice(None) for i in range(len(shape_of(x))))
        z = nn.standardize(x, axes, epsilon=epsilon)
        z = JNP["multiply"](getitem(gamma, places), z) if scale else z
        return JNP["add"](z, getitem(beta, places)) if center else z

    return layer(init, apply)


# -- layers without parameters -----------------------------------------------------------------------


def _same_shape(rng: Any, input_shape: Any) -> Any:
    return input_shape, ()


def elementwise(interpreter: Interpreter, fun: Any, **fun_kwargs: Any) -> Layer:
    """A function of each number."""

    def apply(params: Any, inputs: Any, **_: Any) -> Any:
        return interpreter.call(fun, [inputs], fun_kwargs)

    return layer(_same_shape, apply)


def _activation(function: Callable[..., Any], **settings: Any) -> Layer:
    return layer(_same_shape, lambda params, inputs, **_: function(inputs, **settings))


ACTIVATIONS = {
    "Tanh": _activation(JNP["tanh"]),
    "Relu": _activation(nn.FUNCTIONS["relu"]),
    "Exp": _activation(JNP["exp"]),
    "LogSoftmax": _activation(nn.FUNCTIONS["log_softmax"], axis=-1),
    "Softmax": _activation(nn.FUNCTIONS["softmax"], axis=-1),
    "Softplus": _activation(nn.FUNCTIONS["softplus"]),
    "Sigmoid": _activation(nn.FUNCTIONS["sigmoid"]),
    "Elu": _activation(nn.FUNCTIONS["elu"]),
    "LeakyRelu": _activation(nn.FUNCTIONS["leaky_relu"]),
    "Selu": _activation(nn.FUNCTIONS["selu"]),
    "Gelu": _activation(nn.FUNCTIONS["gelu"]),
    "Identity": layer(_same_shape, lambda params, inputs, **_: inputs),
    "Flatten": layer(
        lambda rng, input_shape: ((input_shape[0], prod(input_shape[1:])), ()),
        lambda params, inputs, **_: JNP["reshape"](inputs, (shape_of(inputs)[0], -1)),
    ),
    "FanInSum": layer(
        lambda rng, input_shape: (input_shape[0], ()),
        lambda params, inputs, **_: _sum_of(inputs),
    ),
}


def _sum_of(inputs: Sequence[Any]) -> Any:
    total: Any = 0
    for one in inputs:
        total = JNP["add"](total, one)
    return total


def fan_out(num: Any) -> Layer:
    """The same for each of several branches."""
    return layer(
        lambda rng, input_shape: ([input_shape] * num, ()), lambda params, inputs, **_: [inputs] * num
    )


def fan_in_concat(axis: Any = -1) -> Layer:
    """The branches side by side."""

    def init(rng: Any, input_shape: Any) -> Any:
        first = tuple(input_shape[0])
        place = axis % len(first)
        total = sum(shape[place] for shape in input_shape)
        return (*first[:place], total, *first[place + 1 :]), ()

    return layer(init, lambda params, inputs, **_: JNP["concatenate"](inputs, axis))


def dropout(rate: Any, mode: Any = "train") -> Layer:
    """Numbers that stay with this probability, and are divided by it; 0 in place of the others."""

    def apply(params: Any, inputs: Any, **keywords: Any) -> Any:
        rng = keywords.get("rng")
        if rng is None:
            raise value_error(
                "Dropout layer requires apply_fun to be called with a PRNG key argument. That is, instead of "
                "`apply_fun(params, inputs)`, call it like `apply_fun(params, inputs, rng)` where `rng` is a "
                "PRNG key (e.g. from `jax.random.key`).",
                "Dropout 层需要随机数的 key：apply_fun(params, inputs, rng=key)。",
            )
        if mode != "train":
            return inputs
        keep = RANDOM["bernoulli"](rng, rate, shape_of(inputs))
        return JNP["where"](keep, JNP["true_divide"](inputs, rate), 0)

    return layer(_same_shape, apply)


def _pooling(kind: str) -> Callable[..., Layer]:
    """The largest, the sum or the mean of each window."""

    def pooling(
        interpreter: Interpreter,
        window_shape: Any,
        strides: Any = None,
        padding: Any = "VALID",
        spec: Any = None,
    ) -> Layer:
        window = tuple(window_shape)
        steps = tuple(strides) if strides else (1,) * len(window)
        places = spec or "N" + "H" * len(window) + "C"

        def full(lengths: Shape) -> Shape:
            left = iter(lengths)
            return tuple(1 if c in "NC" else next(left) for c in places)

        def init(rng: Any, input_shape: Any) -> Any:
            spatial = iter(_places(tuple(input_shape), places, window, steps, padding))
            sizes = zip(places, input_shape, strict=True)
            return tuple(n if c in "NC" else next(spatial) for c, n in sizes), ()

        def reduced(x: Any) -> Any:
            first, name = (-float("inf"), "maximum") if kind == "max" else (0.0, "add")
            by = Native(name, JNP[name], borrowed=True)
            return windows.reduce_window(interpreter, x, first, by, full(window), full(steps), padding)

        def apply(params: Any, inputs: Any, **_: Any) -> Any:
            found = reduced(inputs)
            return JNP["true_divide"](found, reduced(JNP["ones_like"](inputs))) if kind == "mean" else found

        return layer(init, apply)

    return pooling


# -- networks ----------------------------------------------------------------------------------------


def _named(rng: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    return {"rng": rng, **keywords}


def _rngs(rng: Any, count: int) -> list[Any]:
    return [None] * count if rng is None else _keys(rng, count)


def serial(interpreter: Interpreter, *layers: Any) -> Layer:
    """One layer after the other."""

    def init(rng: Any, input_shape: Any) -> Any:
        params = []
        for make, _ in layers:
            rng, own = _keys(rng, 2)
            input_shape, param = interpreter.call(make, [own, input_shape], {})
            params.append(param)
        return input_shape, params

    def apply(params: Any, inputs: Any, rng: Any = None, **keywords: Any) -> Any:
        for (_, function), param, own in zip(layers, params, _rngs(rng, len(layers)), strict=True):
            inputs = interpreter.call(function, [param, inputs], _named(own, keywords))
        return inputs

    return layer(init, apply)


def parallel(interpreter: Interpreter, *layers: Any) -> Layer:
    """A layer for each of several branches."""

    def init(rng: Any, input_shape: Any) -> Any:
        keys = _keys(rng, len(layers))
        rows = zip(layers, keys, input_shape, strict=True)
        made = [interpreter.call(make, [key, shape], {}) for (make, _), key, shape in rows]
        return tuple(shape for shape, _ in made), tuple(params for _, params in made)

    def apply(params: Any, inputs: Any, rng: Any = None, **keywords: Any) -> Any:
        rows = zip(layers, params, inputs, _rngs(rng, len(layers)), strict=True)
        return [interpreter.call(f, [p, x], _named(own, keywords)) for (_, f), p, x, own in rows]

    return layer(init, apply)


def shape_dependent(interpreter: Interpreter, make_layer: Any) -> Layer:
    """A layer that depends on the shape of what it is given."""

    def init(rng: Any, input_shape: Any) -> Any:
        return interpreter.call(interpreter.call(make_layer, [input_shape], {})[0], [rng, input_shape], {})

    def apply(params: Any, inputs: Any, **keywords: Any) -> Any:
        made = interpreter.call(make_layer, [tuple(shape_of(inputs))], {})
        return interpreter.call(made[1], [params, inputs], keywords)

    return layer(init, apply)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Dense": dense,
    "GeneralConv": general_conv,
    "BatchNorm": batch_norm,
    "elementwise": elementwise,
    "FanOut": fan_out,
    "FanInConcat": fan_in_concat,
    "Dropout": dropout,
    "MaxPool": _pooling("max"),
    "SumPool": _pooling("sum"),
    "AvgPool": _pooling("mean"),
    "serial": serial,
    "parallel": parallel,
    "shape_dependent": shape_dependent,
    **{
        name: nn.FUNCTIONS[name] for name in ("relu", "sigmoid", "softmax", "softplus", "elu", "selu", "gelu")
    },
    **{name: nn.FUNCTIONS[name] for name in ("log_softmax", "leaky_relu")},
    **{name: initializers.FUNCTIONS[name] for name in ("glorot_normal", "normal", "zeros", "ones")},
    "randn": initializers.FUNCTIONS["normal"],
    "glorot": initializers.FUNCTIONS["glorot_normal"],
    "logsoftmax": nn.FUNCTIONS["log_softmax"],
}


def _conv(interpreter: Interpreter, *args: Any, **keywords: Any) -> Layer:
    return general_conv(interpreter, ("NHWC", "HWIO", "NHWC"), *args, **keywords)


FUNCTIONS["Conv"] = _conv
