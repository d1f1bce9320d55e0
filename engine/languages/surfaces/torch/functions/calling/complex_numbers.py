"""Which functions of PyTorch take tensors of complex numbers here; of the others PyTorch refuses some, and
Gradlens the rest, so that no imaginary part is lost in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.languages.surfaces.torch.dtypes import DType
from engine.languages.surfaces.torch.errors import COMPLEX, not_here, torch_error
from engine.languages.surfaces.torch.state import state_or_none
from engine.languages.surfaces.torch.tensor import Tensor, tensors_in

MAKERS = """
    tensor as_tensor asarray scalar_tensor zeros ones full empty eye zeros_like ones_like empty_like
    full_like new_zeros new_ones new_empty new_full new_tensor rand randn rand_like randn_like to type
    finfo sum mean prod cumsum cumprod Parameter get_default_dtype promote_types can_cast
"""  # what makes complex numbers where it is asked for them by `dtype`
TAKERS = """
    add sub subtract rsub mul multiply div divide true_divide neg negative positive pow square
    reciprocal abs absolute sgn real imag conj conj_physical resolve_conj is_conj angle view_as_real
    complex polar exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh
    tanh asinh acosh atanh arcsin arccos arctan arcsinh arccosh arctanh sigmoid dot vdot inner outer ger
    mm bmm matmul mv linear einsum tensordot kron trace diag diagonal diag_embed tril triu adjoint
    matrix_power multi_dot addmm chain_matmul eq ne not_equal equal isclose allclose isnan isinf
    isfinite isreal where masked_fill count_nonzero nonzero any all logical_not logical_and logical_or
    reshape view view_as reshape_as flatten unflatten squeeze unsqueeze ravel transpose swapaxes
    swapdims t permute movedim moveaxis expand expand_as broadcast_to repeat tile cat concat concatenate
    stack vstack hstack dstack split chunk unbind tensor_split roll flip fliplr flipud rot90 gather
    index_select masked_select take select narrow clone detach contiguous is_contiguous meshgrid
    atleast_1d atleast_2d item tolist type_as cfloat cdouble float double is_complex is_floating_point
    is_tensor dim ndimension numel nelement size stride element_size is_nonzero is_same_size data_ptr
    result_type requires_grad_ retain_grad backward register_hook grad fill_ zero_ copy_ detach_
    index_fill index_put_ var std norm vector_norm linalg.norm linalg.vector_norm l1_loss linalg.inv
    inverse linalg.solve linalg.det det linalg.eig linalg.eigvals linalg.matmul linalg.multi_dot
    linalg.matrix_power linalg.eigh linalg.eigvalsh addcmul addcdiv lerp baddbmm addmv
    diff repeat_interleave column_stack argwhere int long linalg.cross fft.rfft fft.rfft2 fft.rfftn
    matrix_exp linalg.matrix_exp fft.fft fft.ifft fft.fft2 fft.ifft2
    fft.fftn fft.ifftn fft.irfft fft.irfft2 fft.irfftn fft.fftshift fft.ifftshift cpu cuda requires_grad
    share_memory_ is_leaf save load autograd.backward autograd.grad assert_close testing.assert_close
    autograd.gradcheck gradcheck manual_seed numpy set_ is_inference get_device
"""  # and what takes them besides
MADE = frozenset(MAKERS.split())
TAKEN = MADE | frozenset(TAKERS.split())
SAID: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("floor", "ceil", "trunc", "fix"),
            ("NotImplementedError", "{name} is not supported for complex inputs"),
        ),
        **dict.fromkeys(
            ("clamp", "clip", "relu", "clamp_min", "clamp_max"),
            ("NotImplementedError", "clamp is not supported for complex types"),
        ),
        **dict.fromkeys(("argmax", "argmin"), ("RuntimeError", "{name}(): does not support complex input")),
        **dict.fromkeys(
            ("max", "min"), ("NotImplementedError", "\"{name}_all\" not implemented for '{kind}'")
        ),
        **dict.fromkeys(
            ("sort", "argsort"), ("RuntimeError", " Sort does not support complex dtypes on CPU")
        ),
        **dict.fromkeys(
            ("maximum", "minimum"), ("RuntimeError", "{name} not implemented for complex tensors.")
        ),
        **dict.fromkeys(
            (
                "frac",
                "atan2",
                "hypot",
                "fmod",
                "remainder",
                "cummax",
                "cummin",
                "median",
                "lt",
                "le",
                "gt",
                "ge",
            ),
            ("NotImplementedError", "\"{name}_cpu\" not implemented for '{kind}'"),
        ),
        **dict.fromkeys(
            ("round", "erf", "erfc", "lgamma"),
            ("NotImplementedError", "\"{name}_vml_cpu\" not implemented for '{kind}'"),
        ),
        "abs_": ("RuntimeError", "In-place abs is not supported for complex tensors."),
        "topk": ("RuntimeError", " topk does not support complex dtypes on CPU"),
        "softmax": ("NotImplementedError", "\"softmax_lastdim_kernel_impl\" not implemented for '{kind}'"),
        "gelu": ("NotImplementedError", "\"GeluKernelImpl\" not implemented for '{kind}'"),
        "heaviside": ("RuntimeError", "heaviside is not yet implemented for complex tensors."),
        "unique": ("NotImplementedError", "\"unique\" not implemented for '{kind}'"),
        "mse_loss": ("NotImplementedError", "\"mse_cpu\" not implemented for '{kind}'"),
        "arange": ("NotImplementedError", "\"arange_cpu\" not implemented for '{kind}'"),
        "sign": (
            "NotImplementedError",
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn "
            "instead.",
        ),
    }
)  # what PyTorch says of those that are not for complex numbers: the exception, and its text


def check_takes_complex(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raises: PyTorch's error, or a refusal, where a function is given, or asked for, complex numbers that it
    does not take."""
    now = state_or_none()
    if not keywords and (now is None or not now.has_complex):
        return
    kind = keywords.get("dtype")
    if isinstance(kind, DType) and kind.is_complex and name not in MADE:
        raise _refusal(name, kind)
    is_taken = name not in SAID and (name in TAKEN or name.rstrip("_") in TAKEN)
    if now is None or not now.has_complex or is_taken:
        return
    for one in tensors_in([*args, *keywords.values()]):
        if one.dtype.is_complex:
            raise _refusal(name, one.dtype)


def _refusal(name: str, dtype: DType) -> Exception:
    plain = name if name in SAID else name.rstrip("_")
    if plain not in SAID:
        return not_here(f"{name}() of complex numbers", f"复数的 {name}()", *COMPLEX)
    kind, text = SAID[plain]
    return torch_error(
        text.format(name=plain, kind=dtype.scalar_name),
        f"复数张量没有 {plain}()。",
        kind=kind,
        hint="Take z.abs(), z.real or z.imag first.",
        hint_zh="请先取 z.abs()、z.real 或 z.imag。",
    )


def is_complex(value: Any) -> bool:
    """Whether this is a tensor of complex numbers."""
    return isinstance(value, Tensor) and value.dtype.is_complex
