"""Random numbers for programs: `torch.manual_seed`, `torch.rand` and its kin, and the methods that fill a
tensor.

Each run has a generator of its own. A program that sets no seed draws as after `torch.manual_seed(seed)` with
the request's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.dtypes import INT64, DType, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import check_broadcast, kind_needed, plain
from engine.languages.surfaces.torch.random import choices, distributions
from engine.languages.surfaces.torch.random.generator import DEFAULT_SEED, Generator
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.sizes import check_lengths, lengths, whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array

OWN = "random numbers"
SMALLEST_SEED, LARGEST_SEED = -0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF


def generator_of(given: Any = None) -> Generator:
    """The generator that an argument names, or the run's own."""
    if isinstance(given, Generator):
        return given
    parts = state().parts
    if OWN not in parts:
        parts[OWN] = Generator(state().workspace.seed)
    found: Generator = parts[OWN]
    return found


# -- seeds -----------------------------------------------------------------------------------------------


def _seed_of(seed: Any) -> int:
    """A seed below 2**64. Raises: RuntimeError's message of PyTorch."""
    number = int(plain(seed))
    if not SMALLEST_SEED <= number <= LARGEST_SEED:
        raise torch_error(
            f"Overflow when unpacking unsigned long long: {number}", f"种子 {number} 超出了 64 位整数的范围。"
        )
    return number % 2**64


@torch_function("manual_seed", "random.manual_seed")
def manual_seed(seed: Any) -> Generator:
    """Start the run's numbers again from a seed."""
    own = generator_of()
    own.manual_seed(_seed_of(seed))
    return own


@torch_function("seed", "random.seed")
def reseed() -> int:
    """A seed that nobody chose; here it is the request's, so that each run is the same."""
    own = generator_of()
    own.manual_seed(state().workspace.seed)
    return own.seed


torch_function("initial_seed", "random.initial_seed")(lambda: generator_of().seed)


@torch_function("get_rng_state", "random.get_rng_state")
def get_rng_state() -> Tensor:
    """Where the run's numbers are, as bytes that `set_rng_state` takes."""
    return of_numbers(generator_of().packed())


@torch_function("set_rng_state", "random.set_rng_state")
def set_rng_state(new_state: Any) -> None:
    """Go back to where the numbers were."""
    generator_of().unpack(new_state.array)


@torch_function("random.fork_rng")
def fork_rng(devices: Any = None, enabled: Any = True, **_: Any) -> Block:
    """A block after which the numbers go on from where they were."""

    @contextmanager
    def opened() -> Iterator[None]:
        before = generator_of().packed()
        try:
            yield
        finally:
            if enabled:
                generator_of().unpack(before)

    return Block(opened)


GENERATOR = members_of(Generator, "Generator")
GENERATOR.method("initial_seed")(lambda generator: generator.seed)
GENERATOR.method("get_state")(lambda generator: of_numbers(generator.packed()))
GENERATOR.method("set_state")(lambda generator, new_state: generator.unpack(new_state.array) or generator)
GENERATOR.fact("device")(lambda generator: "cpu")


@GENERATOR.method("manual_seed")
def _seed_generator(generator: Generator, seed_value: Any) -> Generator:
    generator.manual_seed(_seed_of(seed_value))
    return generator


@GENERATOR.method("seed")
def _reseed_generator(generator: Generator) -> int:
    generator.manual_seed(state().workspace.seed)
    return generator.seed


SHOWN[Generator] = (lambda _: "<torch._C.Generator object>", lambda _: "<torch._C.Generator object>")
torch_value(Kind("torch.Generator", lambda device=None: Generator(DEFAULT_SEED), (Generator,)), "Generator")


# -- making tensors -----------------------------------------------------------------------------------------


def _random_tensor(
    draw: Callable[..., Array],
    shape: tuple[int, ...],
    dtype: DType,
    requires_grad: Any,
    generator: Any,
    *arguments: Any,
) -> Tensor:
    """A tensor of drawn numbers, its size checked before they are drawn."""
    check_lengths(shape)
    state().graph.meter.check_elements(shape)
    numbers = generator_of(generator)
    if dtype.is_complex:
        array = _of_parts(draw, numbers, shape, dtype)
    else:
        array = draw(numbers, shape, np.dtype(dtype.held_as), *arguments)
    return of_numbers(array, bool(requires_grad))


def _of_parts(draw: Callable[..., Array], numbers: Any, shape: tuple[int, ...], dtype: DType) -> Array:
    """Complex numbers whose parts are drawn; normal ones so that both together vary by 1."""
    parts = draw(numbers, (*shape, 2), np.dtype(dtype.of_parts.name))
    scale = np.asarray(np.sqrt(0.5) if draw is distributions.normal else 1, parts.dtype)
    return np.ascontiguousarray(parts * scale).view(dtype.name)[..., 0]


def _floating(dtype: Any, what: str) -> DType:
    found = dtype_of(dtype) or state().default_float
    if not found.has_gradients:
        raise no_kernel(what, found)
    return found


def no_kernel(what: str, dtype: DType) -> Exception:
    """PyTorch draws no such numbers of this type."""
    return torch_error(
        f"\"{what}\" not implemented for '{dtype.scalar_name}'",
        f"不能生成 {dtype.name} 类型的随机小数。",
        kind="NotImplementedError",
        hint="Use torch.randint for whole numbers.",
        hint_zh="整数请使用 torch.randint。",
    )


@torch_function("rand")
def rand(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """Uniform numbers in [0, 1)."""
    kind = _floating(dtype, "check_uniform_bounds")
    return _random_tensor(distributions.uniform, lengths(size), kind, requires_grad, generator)


@torch_function("randn")
def randn(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """Standard normal numbers."""
    kind = _floating(dtype, "normal_kernel_cpu")
    return _random_tensor(distributions.normal, lengths(size), kind, requires_grad, generator)


@torch_function("rand_like")
def rand_like(input: Tensor, *, dtype: Any = None, requires_grad: Any = False, **others: Any) -> Tensor:
    """Uniform numbers, as many as a tensor has."""
    return made(rand, input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@torch_function("randn_like")
def randn_like(input: Tensor, *, dtype: Any = None, requires_grad: Any = False, **others: Any) -> Tensor:
    """Standard normal numbers, as many as a tensor has."""
    return made(randn, input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@torch_function("randint")
def randint(
    low: Any = None,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Tensor:
    """Whole numbers from low up to, without, high; `randint(high, size)` begins at 0."""
    if isinstance(high, (tuple, list)):
        low, high, size = 0, low, high
    if size is None and isinstance(low, int) and isinstance(high, int):
        raise kind_needed("randint", "size", 2, "tuple of ints", high)
    if not isinstance(size, (tuple, list)):
        raise TypeError
    if high is None and low is None:
        raise TypeError
    if high is None:
        low, high = 0, low
    elif low is None:
        low = 0
    low, high = whole(low), whole(high)
    if low >= high:
        raise torch_error(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
            f"下界 {low} 必须小于上界 {high}。",
        )
    kind = dtype_of(dtype) or INT64
    return _random_tensor(distributions.integers, lengths((size,)), kind, requires_grad, generator, low, high)


@torch_function("randint_like")
def randint_like(input: Tensor, low: Any, high: Any = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers, as many as a tensor has, in its type."""
    bounds = (0, low) if high is None else (low, high)
    return made(randint, *bounds, tuple(input.shape), dtype=dtype or input.dtype)


@torch_function("randperm")
def randperm(
    n: Any,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """The whole numbers below n in a random order."""
    count = whole(n)
    if count < 0:
        raise torch_error(
            f"Trying to create tensor with negative dimension {count}: [{count}]",
            f"n 不能为负，但得到 {count}。",
        )
    state().graph.meter.check_elements((count,))
    order = choices.permutation(generator_of(generator), count)
    return of_numbers(np.array(order, dtype=(dtype_of(dtype) or INT64).name), bool(requires_grad))


@torch_function("normal")
def normal(mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **others: Any) -> Tensor:
    """Normal numbers with a mean and a spread, which may be tensors."""
    if size is not None:
        kind = _floating(others.get("dtype"), "normal_kernel_cpu")
        bounds = float(plain(mean)), _spread(plain(std))
        return _random_tensor(
            distributions.normal, lengths((size,)), kind, others.get("requires_grad"), generator, *bounds
        )
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    if not tensors:
        raise torch_error(
            "normal() received an invalid combination of arguments: give size, or a tensor",
            "normal() 需要 size，或者张量形式的 mean、std。",
            kind="TypeError",
        )
    if isinstance(std, Tensor) and np.any(std.array < 0):
        raise torch_error("normal expects all elements of std >= 0.0", "标准差不能为负。")
    shape = check_broadcast(tensors)
    kind = tensors[0].dtype
    drawn = _random_tensor(distributions.normal, shape, kind, False, generator).array
    scale, center = (one.array if isinstance(one, Tensor) else one for one in (std, mean))
    return of_numbers(np.asarray(drawn * scale + center, dtype=kind.name))


def _spread(std: Any) -> float:
    """Raises: RuntimeError's message of PyTorch where it is below zero."""
    if not std >= 0:
        raise torch_error(
            f"normal expects std >= 0.0, but found std {std:g}",
            f"标准差不能为负，但得到 {to_str(std)}。",
        )
    return float(std)


def made(function: Callable[..., Any], *args: Any, **keywords: Any) -> Tensor:
    """What one of these functions makes."""
    tensor: Tensor = function(*args, **keywords)
    return tensor


# -- choosing -----------------------------------------------------------------------------------------------


@torch_function("bernoulli", method=True)
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """1 where a uniform number is below the probability, else 0."""
    if p is None:
        check_kind(input, "bernoulli_tensor_cpu_p_")
    own, name = generator_of(generator), input.dtype.name
    shares = input.array if p is None else float(plain(p))
    _check_probability(shares)
    return of_numbers(distributions.bernoulli(own, input.array.shape, np.dtype(name), shares))


def _check_probability(p: Any) -> None:
    array = np.asarray(p)
    if not np.all((array >= 0) & (array <= 1)):
        raise torch_error(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)",
            "概率必须在 0 和 1 之间。",
        )


@torch_function("multinomial", method=True)
def multinomial(
    input: Tensor, num_samples: Any, replacement: Any = False, *, generator: Any = None, out: Any = None
) -> Tensor:
    """Indices drawn in proportion to the weights of each row."""
    weights, count = input.array, int(plain(num_samples))
    if weights.ndim not in (1, 2):
        raise torch_error("prob_dist must be 1 or 2 dim", "概率必须是一维或二维。")
    if not input.dtype.is_floating:
        raise torch_error(
            "multinomial only supports floating-point dtypes for input, got: " + input.dtype.scalar_name,
            "概率必须是浮点数。",
        )
    if count < 1:
        raise torch_error("cannot sample n_sample <= 0 samples", "抽取的个数必须大于 0。")
    if not replacement and count > weights.shape[-1]:
        raise torch_error(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
            f"不放回时不能从 {weights.shape[-1]} 项中抽取 {count} 个。",
        )
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise torch_error(
            "probability tensor contains either `inf`, `nan` or element < 0", "概率中有 inf、nan 或负数。"
        )
    if np.any(weights.sum(axis=-1) <= 0):
        raise torch_error(
            "invalid multinomial distribution (sum of probabilities <= 0)", "概率之和必须大于 0。"
        )
    state().graph.meter.check_elements((*weights.shape[:-1], count))
    return of_numbers(choices.multinomial(generator_of(generator), weights, count, bool(replacement)))


# -- filling a tensor ---------------------------------------------------------------------------------------


def _fill(self: Tensor, draw: Callable[..., Array], generator: Any, *arguments: Any) -> Tensor:
    """Exchange the numbers of a tensor for drawn ones."""
    array = draw(generator_of(generator), self.array.shape, self.array.dtype, *arguments)
    return change(self, of_numbers(array))


def check_range(low: float, high: float) -> None:
    """Raises: RuntimeError's message of PyTorch where the lower bound lies above the upper one."""
    if low > high:
        raise torch_error(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}",
            f"下界 {low:g} 大于上界 {high:g}。",
        )


def check_kind(tensor: Tensor, kernel: str) -> None:
    """Raises: NotImplementedError's message of PyTorch where whole numbers are to be drawn as floats."""
    if not tensor.dtype.is_floating:
        raise no_kernel(kernel, tensor.dtype)


@torch_function("uniform_", method="only")
def uniform_(self: Tensor, a: Any = 0.0, b: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Uniform numbers between two bounds."""
    low, high = float(plain(a)), float(plain(b))
    check_range(low, high)
    check_kind(self, "check_uniform_bounds")
    return _fill(self, distributions.uniform, generator, low, high)


@torch_function("normal_", method="only")
def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Normal numbers."""
    check_kind(self, "normal_kernel_cpu")
    return _fill(self, distributions.normal, generator, float(plain(mean)), _spread(plain(std)))


@torch_function("random_", method="only")
def random_(self: Tensor, *bounds: Any, generator: Any = None) -> Tensor:
    """Whole numbers: below a bound, between two, or as large as the type holds."""
    if not bounds:
        return _fill(self, distributions.any_integers, generator)
    low, high = (0, bounds[0]) if len(bounds) == 1 or bounds[1] is None else bounds
    return _fill(self, distributions.integers, generator, int(plain(low)), int(plain(high)))


@torch_function("bernoulli_", method="only")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """1 with a probability, else 0."""
    share = p.array if isinstance(p, Tensor) else float(p)
    _check_probability(share)
    share = np.broadcast_to(share, self.array.shape) if isinstance(share, np.ndarray) else share
    return _fill(self, distributions.bernoulli, generator, share)


@torch_function("exponential_", method="only")
def exponential_(self: Tensor, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Exponential numbers with a rate."""
    return _fill(self, distributions.exponential, generator, float(plain(lambd)))


@torch_function("geometric_", method="only")
def geometric_(self: Tensor, p: Any, *, generator: Any = None) -> Tensor:
    """How many trials until the first success."""
    return _fill(self, distributions.geometric, generator, float(plain(p)))


@torch_function("log_normal_", method="only")
def log_normal_(self: Tensor, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Tensor:
    """e to the power of normal numbers."""
    return _fill(self, distributions.log_normal, generator, float(plain(mean)), float(plain(std)))


@torch_function("cauchy_", method="only")
def cauchy_(self: Tensor, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Cauchy numbers around a median."""
    return _fill(self, distributions.cauchy, generator, float(plain(median)), float(plain(sigma)))
