"""The settings that `get_config()` of Keras' own layers lists, in Keras' order, with those left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.fitting.constraints import constraint_named
from engine.languages.surfaces.keras.fitting.regularizers import regularizer_named
from engine.languages.surfaces.keras.named import ACTIVATIONS, initializer_named
from engine.languages.surfaces.keras.saving.configured import Configured, serialized
from engine.languages.surfaces.keras.saving.initial_rules import RULES, serialize_initializer
from engine.languages.surfaces.keras.seeds import seeds_untouched

WEIGHTS = "activation use_bias kernel_initializer bias_initializer"
LIMITS = "kernel_regularizer bias_regularizer activity_regularizer kernel_constraint bias_constraint"
WINDOW = "kernel_size strides padding data_format dilation_rate"
SEQUENCE = "return_sequences return_state go_backwards stateful unroll zero_output_for_mask units activation"
RECURRENT_LIMITS = (
    "kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer kernel_constraint "
    "recurrent_constraint bias_constraint dropout recurrent_dropout"
)
RECURRENT_RULES = "kernel_initializer recurrent_initializer bias_initializer"
CELL_LIMITS = RECURRENT_LIMITS.replace(" activity_regularizer", "")
SCALED = "beta_initializer gamma_initializer"
SCALED_LIMITS = "beta_regularizer gamma_regularizer beta_constraint gamma_constraint"
SEPARATE = (
    f"{WINDOW} activation use_bias depthwise_initializer pointwise_initializer bias_initializer "
    "depthwise_regularizer pointwise_regularizer bias_regularizer activity_regularizer "
    "depthwise_constraint pointwise_constraint bias_constraint"
)
DEPTHWISE = (
    f"depth_multiplier {WINDOW} activation use_bias depthwise_initializer bias_initializer "
    "depthwise_regularizer bias_regularizer activity_regularizer depthwise_constraint bias_constraint"
)
POOLING = "pool_size padding strides data_format"
WINDOW_LENGTHS = ("kernel_size", "strides", "dilation_rate", "pool_size")
AXES = ("1D", "2D", "3D")

LISTED: Mapping[str, str] = MappingProxyType(
    {
        "Dense": f"units {WEIGHTS} {LIMITS.replace(' activity_regularizer', '')} quantization_config",
        "EinsumDense": "output_shape equation activation bias_axes kernel_initializer bias_initializer "
        f"{LIMITS} quantization_config",
        **{f"Conv{n}": f"filters {WINDOW} groups {WEIGHTS} {LIMITS}" for n in AXES},
        **{
            f"Conv{n}Transpose": f"filters kernel_size strides padding output_padding data_format "
            f"dilation_rate {WEIGHTS} {LIMITS}"
            for n in AXES
        },
        **{f"DepthwiseConv{n}": DEPTHWISE for n in AXES[:2]},
        **{f"SeparableConv{n}": f"depth_multiplier filters {SEPARATE}" for n in AXES[:2]},
        "LSTM": f"{SEQUENCE} recurrent_activation use_bias {RECURRENT_RULES} unit_forget_bias "
        f"{RECURRENT_LIMITS} seed",
        "GRU": f"{SEQUENCE} recurrent_activation use_bias {RECURRENT_RULES} {RECURRENT_LIMITS} "
        "reset_after seed",
        "SimpleRNN": f"{SEQUENCE} use_bias {RECURRENT_RULES} {RECURRENT_LIMITS}",
        "LSTMCell": "units activation recurrent_activation use_bias unit_forget_bias "
        f"{RECURRENT_RULES} {CELL_LIMITS} seed",
        "GRUCell": f"units activation recurrent_activation use_bias {RECURRENT_RULES} {CELL_LIMITS} "
        "reset_after seed",
        "SimpleRNNCell": f"units activation use_bias {RECURRENT_RULES} {CELL_LIMITS} seed",
        "BatchNormalization": f"axis momentum epsilon center scale {SCALED} moving_mean_initializer "
        f"moving_variance_initializer {SCALED_LIMITS} synchronized renorm renorm_clipping renorm_momentum",
        "LayerNormalization": f"axis epsilon center scale rms_scaling {SCALED} {SCALED_LIMITS}",
        "GroupNormalization": f"groups axis epsilon center scale {SCALED} {SCALED_LIMITS}",
        **dict.fromkeys(("Dropout", "AlphaDropout"), "rate seed noise_shape"),
        **dict.fromkeys(("SpatialDropout1D", "GaussianDropout"), "rate seed"),
        "GaussianNoise": "stddev seed",
        "SpatialDropout2D": "rate seed data_format",
        "Embedding": "input_dim output_dim embeddings_initializer embeddings_regularizer "
        "activity_regularizer embeddings_constraint mask_zero quantization_config",
        **{f"{kind}Pooling{n}": POOLING for kind in ("Max", "Average") for n in AXES},
        **{f"Global{kind}Pooling{n}": "data_format keepdims" for kind in ("Max", "Average") for n in AXES},
        "Flatten": "data_format",
        "Reshape": "target_shape",
        "Activation": "activation",
        "LeakyReLU": "negative_slope",
        "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes",
        "ELU": "alpha",
        **dict.fromkeys(("Softmax", "Concatenate"), "axis"),
        **dict.fromkeys(("ZeroPadding1D", "ZeroPadding2D"), "padding data_format"),
        "UpSampling1D": "size",
        "UpSampling2D": "size data_format interpolation",
        "Cropping2D": "cropping data_format",
        "Masking": "mask_value",
        "ReLU": "max_value negative_slope threshold",
        "Dot": "axes normalize",
        "UnitNormalization": "axis",
        "RMSNormalization": "axis epsilon",
        "CenterCrop": "data_format height width",
        "Resizing": "data_format height width interpolation crop_to_aspect_ratio pad_to_aspect_ratio "
        "fill_mode fill_value antialias",
        "RandomFlip": "data_format seed mode",
        "RandomCrop": "data_format height width seed",
        "Rescaling": "scale offset",
        "MultiHeadAttention": "num_heads key_dim value_dim dropout use_bias use_gate output_shape "
        "attention_axes sliding_window kernel_initializer bias_initializer kernel_regularizer "
        "bias_regularizer activity_regularizer kernel_constraint bias_constraint seed",
        "Attention": "use_scale score_mode dropout seed",
        "AdditiveAttention": "use_scale dropout seed",
        **dict.fromkeys(("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "Identity"), ""),
    }
)
USUAL: Mapping[str, Any] = MappingProxyType(
    {
        "data_format": "channels_last",
        "dilation_rate": 1,
        "groups": 1,
        "depth_multiplier": 1,
        "use_bias": True,
        "unroll": False,
        "zero_output_for_mask": False,
        "mask_zero": False,
        "keepdims": False,
        "synchronized": False,
        "renorm": False,
        "renorm_momentum": 0.99,
        "rms_scaling": False,
        "moving_mean_initializer": "zeros",
        "moving_variance_initializer": "ones",
        "interpolation": "nearest",
        "use_gate": False,
        "score_mode": "dot",
        "offset": 0.0,
        "negative_slope": 0.0,
        "threshold": 0.0,
        "normalize": False,
        "cropping": ((0, 0), (0, 0)),
        "crop_to_aspect_ratio": False,
        "pad_to_aspect_ratio": False,
        "antialias": False,
        "fill_mode": "constant",
        "fill_value": 0.0,
    }
)  # of settings that are left out and that these layers do not take here; of any other None


def listed_settings(interpreter: Interpreter, layer: UserObject) -> dict[str, Any] | None:
    """All settings of a layer of Keras as it writes them; None of a kind that is not listed here.

    Arithmetic of symbolic tensors (`a + b`) makes layers of the names `Add` and so on, too, which are none.
    """
    names = LISTED.get(layer.kind.name) if layer.kind.origin == "library" else None
    if names is None or "_operands" in layer.fields:
        return None
    given = layer.fields.get("_config", {})
    usual = {**USUAL, **_usual_of(layer.kind)}
    plain = {name: given.get(name, usual.get(name)) for name in names.split()}
    return {name: _written(interpreter, layer.kind.name, name, plain) for name in plain}


RULES_OF = ("_initializer", "_regularizer", "_constraint", "activation")


def keep_settings(layer: UserObject) -> None:
    """Numbers, texts and lengths that were set, as attributes, where it has none yet: `layer.pool_size`."""
    names = LISTED.get(layer.kind.name, "").split() if layer.kind.origin == "library" else []
    usual = {**USUAL, **_usual_of(layer.kind)} if names else {}
    given = {name: layer.fields["_config"].get(name, usual.get(name)) for name in names}
    for name in names:
        if name not in layer.fields and not name.endswith(RULES_OF):
            layer.fields[name] = _written_plain(layer.kind.name, name, given)


def _usual_of(kind: UserClass) -> dict[str, Any]:
    """What the arguments of a layer are where they are left out."""
    return {
        name: one.default
        for name, one in _parameters(kind).items()
        if one.default is not Parameter.empty and (name not in USUAL or one.default is not None)
    }


def _parameters(kind: UserClass) -> Mapping[str, Parameter]:
    init = kind.find("__init__")
    return signature(init.function).parameters if isinstance(init, Native) else {}


def without_usual(kind: UserClass, config: Mapping[str, Any]) -> dict[str, Any]:
    """Such settings, without those that a layer of Keras has anyhow where they are left out."""
    if kind.origin != "library" or kind.name not in LISTED:
        return dict(config)
    usual, listed = {**USUAL, **_usual_of(kind)}, LISTED[kind.name].split()
    return {
        name: value
        for name, value in config.items()
        if name not in listed or not _is_usual(value, usual.get(name))
    }


def _is_usual(value: Any, usual: Any) -> bool:
    """Whether a setting is as if it were left out: each of several lengths, a rule by its class."""
    if isinstance(value, Mapping):
        return bool(str(value.get("class_name", "")).lower() == usual)
    several = value if isinstance(value, (list, tuple)) and value else [value]
    return all(one == usual and type(one) is type(usual) for one in several)


# -- one setting -------------------------------------------------------------------------------------


def _written(interpreter: Interpreter, kind: str, name: str, settings: Mapping[str, Any]) -> Any:
    """One setting as Keras writes it: rules as dictionaries, activations by name, lengths for each axis."""
    value = settings[name]
    if name.endswith("_initializer") and value is not None:
        with seeds_untouched(interpreter):
            rule = initializer_named(interpreter, value)
        return serialize_initializer(rule) if isinstance(rule, RULES) else value
    if name.endswith(("_regularizer", "_constraint")):
        named = regularizer_named if name.endswith("_regularizer") else constraint_named
        rule = named(value)
        return serialized(rule) if isinstance(rule, Configured) else rule
    if name == "activation" or name == "recurrent_activation":
        return activation_name(value)
    return _written_plain(kind, name, settings)


def _written_plain(kind: str, name: str, settings: Mapping[str, Any]) -> Any:
    value = settings[name]
    if name in ("strides", "value_dim") and value is None:
        value = settings["pool_size" if name == "strides" else "key_dim"]
    return _by_axes(kind, name, value)


def activation_name(value: Any) -> Any:
    """The name of an activation of Keras, `linear` of none; a function of the program as it is."""
    if value is None:
        return "linear"
    if isinstance(value, Native):
        last = value.name.rpartition(".")[2]
        return last if last in ACTIVATIONS else value
    return value


def _by_axes(kind: str, name: str, value: Any) -> Any:
    """A length for each axis along which a window moves; what is filled in before and behind."""
    axes = next((place for place, n in enumerate(AXES, 1) if n in kind), 0)
    lengths: Mapping[str, Callable[[Any], Any]] = {
        **dict.fromkeys(
            ("kernel_size", "strides", "dilation_rate", "pool_size"), lambda one: _each(one, axes)
        ),
        "size": lambda one: one if axes == 1 else _each(one, axes),
        **dict.fromkeys(("padding", "cropping"), lambda one: _sides(one, axes)),
        "target_shape": tuple,
    }
    rule = lengths.get(name)
    return value if rule is None or value is None or isinstance(value, str) else rule(value)


def _each(value: Any, axes: int) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * axes


def _sides(value: Any, axes: int) -> Any:
    """(before, behind) of the one axis, or of each of several."""
    if axes == 1:
        return _each(value, 2)
    return tuple(_each(one, 2) for one in _each(value, axes))
