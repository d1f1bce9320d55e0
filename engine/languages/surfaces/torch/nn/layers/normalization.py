"""Normalization layers; those of batches keep a running mean and variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.nn.init import put
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, filled, layer
from engine.languages.surfaces.torch.nn.module import functional
from engine.languages.surfaces.torch.tensor import of_numbers

PLACE = {"device": None, "dtype": None}


def _scale_and_shift(
    self: UserObject, shape: tuple[int, ...], has_scale: bool, has_shift: bool, dtype: Any
) -> None:
    self.fields["weight"] = filled(shape, 1.0, dtype) if has_scale else None
    self.fields["bias"] = filled(shape, 0.0, dtype) if has_scale and has_shift else None


def _reset(self: UserObject) -> None:
    """A scale of 1 and a shift of 0 again, and no memory of batches."""
    _forget_batches(self)
    for name, number in (("weight", 1.0), ("bias", 0.0)):
        if self.fields.get(name) is not None:
            put(self.fields[name], np.full_like(self.fields[name].array, number))


def _forget_batches(self: UserObject) -> None:
    for name, number in (("running_mean", 0), ("running_var", 1), ("num_batches_tracked", 0)):
        if self.fields.get(name) is not None:
            put(self.fields[name], np.full_like(self.fields[name].array, number))


# -- batches ---------------------------------------------------------------------------------------------


def _set_up_batch(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    shape = (facts["num_features"],)
    _scale_and_shift(self, shape, facts["affine"], facts.pop("bias"), dtype)
    if not facts["track_running_stats"]:
        facts.update(running_mean=None, running_var=None, num_batches_tracked=None)
        return
    facts["_buffers"].update(running_mean=True, running_var=True, num_batches_tracked=True)
    facts["running_mean"] = of_numbers(np.zeros(shape, dtype=dtype))
    facts["running_var"] = of_numbers(np.ones(shape, dtype=dtype))
    facts["num_batches_tracked"] = of_numbers(np.zeros((), dtype=np.int64))


def _batch_text(self: UserObject) -> str:
    facts = self.fields
    names = ("eps", "momentum", "affine")
    parts = [str(facts["num_features"]), *(f"{name}={facts[name]}" for name in names)]
    parts += [f"bias={facts['bias'] is not None}", f"track_running_stats={facts['track_running_stats']}"]
    return ", ".join(parts)


def _normalize_batch(ranks: tuple[int, ...]) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        _check_rank(input, ranks)
        facts = self.fields
        by_itself = facts["training"] or facts["running_mean"] is None
        remembers = facts["training"] and facts["running_mean"] is not None
        share = facts["momentum"]
        if remembers:
            count = facts["num_batches_tracked"]
            check_change(count, "add_")
            put(count, count.array + 1)
            share = 1.0 / float(count.array) if share is None else share
        memory = (facts["running_mean"], facts["running_var"]) if remembers or not by_itself else (None, None)
        scale = (facts["weight"], facts["bias"])
        return functional(
            interpreter, "batch_norm", input, *memory, *scale, by_itself, share or 0.0, facts["eps"]
        )

    return forward


def _check_rank(input: Any, ranks: tuple[int, ...]) -> None:
    if input.array.ndim not in ranks:
        listed = " or ".join(f"{rank}D" for rank in ranks)
        raise torch_error(
            f"expected {listed} input (got {input.array.ndim}D input)",
            f"需要 {'、'.join(map(str, ranks))} 维输入，但得到 {input.array.ndim} 维。",
            kind="ValueError",
            code="shape_mismatch",
        )


for _name, _ranks in {"BatchNorm1d": (2, 3), "BatchNorm2d": (4,), "BatchNorm3d": (5,)}.items():
    layer(
        _name,
        _normalize_batch(_ranks),
        setup=_set_up_batch,
        extra=_batch_text,
        reset_parameters=_reset,
        reset_running_stats=_forget_batches,
        keyword_only=("bias",),
        settings={
            "num_features": REQUIRED,
            "eps": 1e-5,
            "momentum": 0.1,
            "affine": True,
            "track_running_stats": True,
            **PLACE,
            "bias": True,
        },
    )


def _normalize_instance(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    facts = self.fields
    scale = (facts["weight"], facts["bias"])
    return functional(interpreter, "instance_norm", input, None, None, *scale, True, 0.1, facts["eps"])


def _set_up_instance(self: UserObject) -> None:
    if self.fields["track_running_stats"]:
        raise torch_error(
            "InstanceNorm with track_running_stats=True is not supported here",
            "这里的 InstanceNorm 不支持 track_running_stats=True。",
        )
    _set_up_batch(self)


for _axes in (1, 2, 3):
    layer(
        f"InstanceNorm{_axes}d",
        _normalize_instance,
        setup=_set_up_instance,
        extra=_batch_text,
        reset_parameters=_reset,
        reset_running_stats=_forget_batches,
        keyword_only=("bias",),
        settings={
            "num_features": REQUIRED,
            "eps": 1e-5,
            "momentum": 0.1,
            "affine": False,
            "track_running_stats": False,
            **PLACE,
            "bias": True,
        },
    )


# -- layers, groups --------------------------------------------------------------------------------------


def _set_up_layer(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    shape = facts["normalized_shape"]
    facts["normalized_shape"] = tuple(shape) if isinstance(shape, (list, tuple)) else (int(shape),)
    has_scale, has_shift = facts["elementwise_affine"], facts.pop("bias", None)
    _scale_and_shift(self, facts["normalized_shape"], has_scale, bool(has_shift), dtype)


def _layer_text(self: UserObject) -> str:
    facts = self.fields
    affine = f"elementwise_affine={facts['elementwise_affine']}"
    return f"{facts['normalized_shape']}, eps={facts['eps']}, {affine}, bias={facts['bias'] is not None}"


layer(
    "LayerNorm",
    lambda interpreter, self, input: functional(
        interpreter,
        "layer_norm",
        input,
        *(self.fields[name] for name in ("normalized_shape", "weight", "bias", "eps")),
    ),
    setup=_set_up_layer,
    extra=_layer_text,
    reset_parameters=_reset,
    settings={"normalized_shape": REQUIRED, "eps": 1e-5, "elementwise_affine": True, "bias": True, **PLACE},
)
layer(
    "RMSNorm",
    lambda interpreter, self, input: functional(
        interpreter, "rms_norm", input, *(self.fields[name] for name in ("normalized_shape", "weight", "eps"))
    ),
    setup=_set_up_layer,
    extra="-normalized_shape eps elementwise_affine",
    reset_parameters=_reset,
    settings={"normalized_shape": REQUIRED, "eps": None, "elementwise_affine": True, **PLACE},
)


def _set_up_groups(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    if facts["num_channels"] % facts["num_groups"]:
        raise torch_error(
            f"num_channels ({facts['num_channels']}) must be divisible by num_groups ({facts['num_groups']})",
            f"num_channels（{facts['num_channels']}）必须能被 num_groups（{facts['num_groups']}）整除。",
            kind="ValueError",
        )
    _scale_and_shift(self, (facts["num_channels"],), facts["affine"], facts.pop("bias"), dtype)


def _groups_text(self: UserObject) -> str:
    facts = self.fields
    rest = f"eps={facts['eps']}, affine={facts['affine']}, bias={facts['bias'] is not None}"
    return f"{facts['num_groups']}, {facts['num_channels']}, {rest}"


layer(
    "GroupNorm",
    lambda interpreter, self, input: functional(
        interpreter,
        "group_norm",
        input,
        *(self.fields[name] for name in ("num_groups", "weight", "bias", "eps")),
    ),
    setup=_set_up_groups,
    extra=_groups_text,
    reset_parameters=_reset,
    keyword_only=("bias",),
    settings={
        "num_groups": REQUIRED,
        "num_channels": REQUIRED,
        "eps": 1e-5,
        "affine": True,
        **PLACE,
        "bias": True,
    },
)
