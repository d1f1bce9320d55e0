"""What an op's block says of it in keywords: all that the engine, the page and other tools ask of an op."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Required, TypedDict

from engine.ops.base.domains import Domain
from engine.ops.base.kinks import Kink
from engine.ops.base.tensors import Node

Formula = str | tuple[str, str]  # LaTeX, or LaTeX with words: in English and in Simplified Chinese
DegreeRule = Callable[[Node, Sequence[float]], float]


class Facts(TypedDict, total=False):
    """The keywords of `@op`; only the inputs must be said.

    What it computes:
    inputs:     the argument names; one that starts with `*` takes a list of tensors.
    types:      for each input, the type attribute that it binds (`T`, `Tidx`, …), or a fixed dtype.
    accepts:    a key of ELEMENT_TYPES, such as `floats`, where T may not be every type.
    outputs:    one dtype or type attribute per output; a callable of the attributes where that varies.
    shape:      the shape rule: static shapes in, static shape out.
    fixed:      attributes that TensorFlow writes and that change nothing here.
    own:        attributes that TensorFlow's op has not; a node has them only where they are given.
    writes:     the inputs that are variables which the kernel gives new values, in the order of its results.
    effort:     element operations of one run, from the elements made, the arguments (of which it asks the
                shapes only) and the attributes that its keywords name, where that is not the larger of
                elements read and made.
    stateful:   its value is drawn or read anew in each run, so it is never folded.
    draws:      its kernel takes a `generator` of random numbers, which a session gives it.
    keeps:      its kernel takes what a session has `kept` for its node from run to run.
    passes_on:  whether its outputs are its inputs as they are.
    of_shapes:  whether it depends on the shapes of its inputs alone.

    How it is written:
    latex:      its formula, of the inputs `{x}`.
    written:    the formula where values are put in, if that reads better; of a list, the sign in between.
    operator:   the sign that code has for it between two inputs.
    names:      by framework (`tf`, `numpy`, `torch`, `jax`, `math`), what its function is called there, or a
                call in which `{0}` stands for its input. PyTorch and JAX look under `numpy`, too.
    call:       what a call of it takes in code, where not just its inputs: the last is the `axes` to reduce,
                an `axis`, known `numbers`; or several are taken in a list, to `join` or to `stack` them.
    symbolic:   what it makes of expressions: the name of a function of theirs, a formula in numpy's
                functions for each element, or `kernel` where the kernel computes with them.
    analytic:   what continues it to complex numbers: its `kernel` (so where it is `symbolic`, unless said
                otherwise), its `symbolic` formula, or nothing ("").

    How it varies:
    adjoints:    for each input, what the gradient rule passes on to it; a bar is the gradient that arrives.
    no_gradient: why it has no gradient rule, in English and in Simplified Chinese.
    ends_path:   without a gradient rule, whether a gradient quietly ends here (None) or is refused.
    derivative:  the local derivative for each input: ∂output/∂input, of inputs `{x}` and the output `{out}`.
    partials:    the same for forward mode: a function of the inputs' values and the output's that gives one
                 factor for each input; written with numpy's functions, it serves arrays and expressions.
    form:        `linear` or `bilinear` in its float inputs.
    degree:      its degree as a polynomial, of the node and its inputs' degrees, where `form` does not say
                 it; infinite for what is no polynomial.
    kink:        where it has a corner, and what its gradient is there.
    domain:      what of its inputs has no finite value, of numbers at one place.
    """

    inputs: Required[str]
    types: str
    accepts: str
    outputs: Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str]]
    shape: Callable[..., Any]
    fixed: Mapping[str, Any] | None
    own: tuple[str, ...]
    writes: tuple[int, ...]
    effort: Callable[..., int] | None
    stateful: bool
    draws: bool | str
    keeps: bool
    passes_on: bool
    of_shapes: bool

    latex: str
    written: str
    operator: str
    names: Mapping[str, str]
    call: str
    symbolic: str | Callable[..., Any]
    analytic: str

    adjoints: Sequence[str]
    no_gradient: tuple[str, str]
    ends_path: bool
    derivative: Sequence[Formula]
    partials: Callable[..., Sequence[Any]]
    form: str
    degree: DegreeRule
    kink: Kink
    domain: Domain
