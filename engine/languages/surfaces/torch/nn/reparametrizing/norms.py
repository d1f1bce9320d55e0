"""Weight and spectral normalization: a weight's direction and length, and its largest singular value.

Source: Salimans & Kingma (2016) for weights; Miyato et al. (2018) for the spectral norm.
"""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.functions.matrices import mv
from engine.languages.surfaces.torch.functions.shaping import permute, reshape, transpose
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.parameter import parameter
from engine.languages.surfaces.torch.nn.reparametrizing.parametrized import register
from engine.languages.surfaces.torch.nn.reparametrizing.replaced import (
    compute_before_calls,
    compute_no_longer,
    parameter_of,
    without_history,
)
from engine.languages.surfaces.torch.random.making import normal
from engine.languages.surfaces.torch.registry import TORCH, F, torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

# -- weight norm -----------------------------------------------------------------------------------------


def lengths_but_for(v: Tensor, dim: int) -> Any:
    """The norm over all axes but one. Shapes: v (*S) -> 1 along each axis but `dim`."""
    rank = v.array.ndim
    if dim == -1:
        return OPERATORS["norm"](v)
    axes = tuple(axis for axis in range(rank) if axis != dim)
    return OPERATORS["linalg.vector_norm"](v, 2, axes, True)


@composite("WeightNormInterfaceBackward0", "v g")
def _interface(v: Any, g: Any, dim: int = 0) -> Any:
    """g v / |v|. Shapes: v (*S), g 1 along each axis but `dim` -> (*S)."""
    return v * (g / lengths_but_for(v, dim))


def weighted(v: Any, g: Any, dim: int) -> Any:
    """g v / |v|; over the whole tensor it is made of other functions."""
    if dim == -1:
        return v * (g / lengths_but_for(v, dim))
    return _interface(v, g, dim)


@torch_function("norm_except_dim")
@takes_only(pow=(2,))
def norm_except_dim(v: Any, pow: Any = 2, dim: Any = 0) -> Any:
    """The norm over all axes but one."""
    return lengths_but_for(v, int(dim))


@torch_function("nn.utils.weight_norm")
def weight_norm(module: UserObject, name: Any = "weight", dim: Any = 0) -> UserObject:
    """A parameter as its length, `name_g`, times its direction, that of `name_v`."""
    weight, axis = parameter_of(module, name), -1 if dim is None else int(dim)
    compute_before_calls(module, name, "weight_norm", lambda self: _of_fields(self, name, axis))
    with without_history():
        g = lengths_but_for(weight, axis)
    del module.fields[name]
    module.fields[f"{name}_g"] = parameter(g)
    module.fields[f"{name}_v"] = parameter(OPERATORS["detach"](weight))
    module.fields[name] = _of_fields(module, name, axis)
    return module


def _of_fields(self: UserObject, name: str, dim: int) -> Any:
    return weighted(self.fields[f"{name}_v"], self.fields[f"{name}_g"], dim)


@torch_function("nn.utils.remove_weight_norm")
def remove_weight_norm(module: UserObject, name: Any = "weight") -> UserObject:
    """The parameter itself again, with the value that it has."""
    value = module.fields.get(name)
    compute_no_longer(module, name, "weight_norm", value)
    del module.fields[f"{name}_g"], module.fields[f"{name}_v"]
    return module


WEIGHT_NORM = layer(
    "utils.parametrizations._WeightNorm",
    lambda self, weight_g, weight_v: weighted(weight_v, weight_g, self.fields["dim"]),
    settings={"dim": 0},
    right_inverse=lambda self, weight: (lengths_but_for(weight, self.fields["dim"]), weight),
    _get_name=lambda self: "_WeightNorm",
)


@torch_function("nn.utils.parametrizations.weight_norm")
def parametrized_weight_norm(
    interpreter: Interpreter, module: UserObject, name: Any = "weight", dim: Any = 0
) -> UserObject:
    """A parameter as its length, `original0`, times the direction of `original1`."""
    made = interpreter.call(WEIGHT_NORM, [], {"dim": -1 if dim is None else int(dim)})
    return register(interpreter, module, name, made, True)


# -- spectral norm ---------------------------------------------------------------------------------------


def as_matrix(weight: Any, dim: int) -> Any:
    """One axis first, the others as one. Shapes: (*S) -> (S[dim], rest)."""
    if dim:
        weight = permute(weight, (dim, *(axis for axis in range(weight.array.ndim) if axis != dim)))
    return reshape(weight, (weight.array.shape[0], -1))


def _unit(vector: Any, eps: float) -> Any:
    return TORCH[F + "normalize"].function(vector, dim=0, eps=eps)


def first_vectors(matrix: Any, eps: float) -> tuple[Any, Any]:
    """Two random unit vectors. Shapes: (h, w) -> (h,), (w,)."""
    h, w = matrix.array.shape
    u, v = (normal(0.0, 1.0, (count,), dtype=matrix.dtype) for count in (h, w))
    return _unit(u, eps), _unit(v, eps)


def _axis_of(module: UserObject, dim: Any) -> int:
    """The axis of the outputs: the second one of transposed convolutions."""
    if dim is not None:
        return int(dim)
    return 1 if any(kind.name.startswith("ConvTranspose") for kind in module.kind.order) else 0


@torch_function("nn.utils.spectral_norm")
def spectral_norm(
    module: UserObject,
    name: Any = "weight",
    n_power_iterations: Any = 1,
    eps: Any = 1e-12,
    dim: Any = None,
) -> UserObject:
    """A parameter over its largest singular value, which a power iteration at each call estimates."""
    weight, axis, turns = parameter_of(module, name), _axis_of(module, dim), int(n_power_iterations)
    compute_before_calls(
        module, name, "spectral_norm", lambda self: _over_norm(self, name, axis, turns, float(eps))
    )
    with without_history():
        u, v = first_vectors(as_matrix(weight, axis), float(eps))
    del module.fields[name]
    module.fields[f"{name}_orig"] = weight
    module.fields[name] = OPERATORS["detach"](weight)
    module.fields["_buffers"].update({f"{name}_u": True, f"{name}_v": True})
    module.fields.update({f"{name}_u": u, f"{name}_v": v})
    return module


def _over_norm(self: UserObject, name: str, dim: int, turns: int, eps: float, moves: bool = True) -> Any:
    """W / (uᵀ W v)."""
    weight, u, v = (self.fields[f"{name}_{end}"] for end in ("orig", "u", "v"))
    matrix = as_matrix(weight, dim)
    if moves and self.fields["training"]:
        with without_history():
            for _ in range(turns):
                change(v, _unit(mv(transpose(matrix, 0, 1), u), eps))
                change(u, _unit(mv(matrix, v), eps))
            u, v = OPERATORS["clone"](u), OPERATORS["clone"](v)
    return weight / OPERATORS["dot"](u, mv(matrix, v))


@torch_function("nn.utils.remove_spectral_norm")
def remove_spectral_norm(module: UserObject, name: Any = "weight") -> UserObject:
    """The parameter itself again, with the value that it has."""
    with without_history():
        value = _over_norm(module, name, _axis_of(module, None), 0, 1e-12, False)
    compute_no_longer(module, name, "spectral_norm", value)
    for end in ("orig", "u", "v"):
        module.fields.pop(f"{name}_{end}")
        module.fields["_buffers"].pop(f"{name}_{end}", None)
    return module


def _power(self: UserObject, matrix: Any, turns: int) -> None:
    u, v, eps = self.fields["_u"], self.fields["_v"], self.fields["eps"]
    with without_history():
        for _ in range(turns):
            change(u, _unit(mv(matrix, v), eps))
            change(v, _unit(mv(transpose(matrix, 0, 1), u), eps))


TURNS_AT_FIRST = 15


def _begin_spectral(self: UserObject) -> None:
    weight, eps = self.fields.pop("weight"), self.fields["eps"]
    if weight.array.ndim < 2:
        return
    with without_history():
        matrix = as_matrix(weight, self.fields["dim"])
        u, v = first_vectors(matrix, eps)
        self.fields["_buffers"].update(_u=True, _v=True)
        self.fields.update(_u=u, _v=v)
        _power(self, matrix, TURNS_AT_FIRST)


def _spectral(self: UserObject, weight: Any) -> Any:
    if weight.array.ndim < 2:
        return _unit(weight, self.fields["eps"])
    matrix = as_matrix(weight, self.fields["dim"])
    if self.fields["training"]:
        _power(self, matrix, self.fields["n_power_iterations"])
    u, v = OPERATORS["clone"](self.fields["_u"]), OPERATORS["clone"](self.fields["_v"])
    return weight / OPERATORS["dot"](u, mv(matrix, v))


SPECTRAL_NORM = layer(
    "utils.parametrizations._SpectralNorm",
    _spectral,
    setup=_begin_spectral,
    settings={"weight": REQUIRED, "n_power_iterations": 1, "dim": 0, "eps": 1e-12},
    right_inverse=lambda self, value: value,
    _get_name=lambda self: "_SpectralNorm",
)


@torch_function("nn.utils.parametrizations.spectral_norm")
def parametrized_spectral_norm(
    interpreter: Interpreter,
    module: UserObject,
    name: Any = "weight",
    n_power_iterations: Any = 1,
    eps: Any = 1e-12,
    dim: Any = None,
) -> UserObject:
    """A parameter over its largest singular value, computed whenever it is read."""
    settings = (parameter_of(module, name), int(n_power_iterations), _axis_of(module, dim), float(eps))
    made = interpreter.call(SPECTRAL_NORM, list(settings), {})
    return register(interpreter, module, name, made, False)
