"""The generator of a run, and seeds: `torch.manual_seed`, `torch.Generator`.

Each run has a generator of its own. A program that sets no seed draws as after `torch.manual_seed(seed)` with
the request's seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random.generator import DEFAULT_SEED, Generator
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

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
