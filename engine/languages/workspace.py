"""What one run of a program works on: its graph, sessions and gradient calls, and the request's values."""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import Span
from engine.execution.interpreter.trace import Run
from engine.execution.straight_run import LateRun
from engine.graph import Graph, Node, Tensor
from engine.languages.interpreter.budget import Budget
from engine.languages.questions import Question
from engine.ops.base.tensors import Array

if TYPE_CHECKING:
    from engine.languages.surfaces.tf1.program_session import ProgramSession
    from engine.optimizers import Optimizer


@dataclass(frozen=True, slots=True)
class GradientCall:
    """One call that asked for gradients: what was differentiated, with respect to what, and what came out.

    reasons: why a gradient is None, in both languages, where the call itself knows.
    added:   whether the program did not ask for it, but the answer does.
    usual:   whether any optimizer that asks for these gradients would build the very same nodes.
    names:   what the differentiated function calls the xs; empty where no function is differentiated.
    """

    ys: tuple[Tensor, ...]
    xs: tuple[Any, ...]
    gradients: tuple[Tensor | None, ...]
    is_loss: bool = False
    reasons: tuple[tuple[str, str] | None, ...] = ()
    added: bool = False
    usual: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdateCall:
    """One `apply_gradients`: the pairs that it was given and the train op that it made."""

    optimizer: Optimizer
    pairs: tuple[tuple[Any, Any], ...]
    train_op: Node
    place: Span | None


@dataclass(frozen=True, slots=True)
class Clip:
    """One `clip_by_norm` of a whole tensor: what went in, the bound, what came out, and where it stands."""

    tensor: Any
    bound: Any
    clipped: Tensor
    place: Span | None


@dataclass(slots=True)
class Workspace:
    """The state that a program's calls share.

    graph:     the default graph; graphs: all that the program made, in order.
    interpreter: what runs the program, where it is one of Python.
    at, feeds: values from the request, by a variable's or placeholder's Python name, node or tensor name.
    lines: what the request gives to `input()`, one after the other; questions: the calls so far.
    gradient_rules: what `tf.RegisterGradient` was given, by name.
    open_layers: the Keras layers that are being called, the outermost first.
    in_training: what their parameter `training` is, where one of them was given it.
    masks:     of the Keras layers that are being called, which turns of a tensor count, by the tensor's id.
    layer_kinds: how many layers of each kind Keras has named.
    seed_source: what functions of `keras.random` take their seeds from.
    saved_models: models of Keras by the names of files that the program has saved them under.
    name_scope: what the names of TensorFlow 2's variables begin with.
    jaxprs:    of a JAX program, those of each function that it differentiated and of the gradient.
    autograd:  of a PyTorch program, by the name of a tensor, the autograd graph behind it.
    passes:    of a PyTorch program, the nodes of each of its first passes backward, with their arrays;
        more_passes: whether there were others after them.
    identities: the objects that the program asked `id` of, each with its number, by their own.
    board:     what it draws with matplotlib.
    opened:    keeps the default graph entered until the run is over.
    """

    graph: Graph
    budget: Budget
    interpreter: Any = None
    at: Mapping[str, Any] = field(default_factory=dict)
    feeds: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[str] = ()
    seed: int = 0
    opened: ExitStack = field(default_factory=ExitStack)
    sessions: list[ProgramSession] = field(default_factory=list)
    default_sessions: list[ProgramSession] = field(default_factory=list)
    gradient_calls: list[GradientCall] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    updates: list[UpdateCall] = field(default_factory=list)
    numpy_random: Any = None
    gradient_rules: dict[str, Any] = field(default_factory=dict)
    python_random: Any = None
    clock_readings: int = 0
    runs_functions_eagerly: bool = False
    unused_at: set[str] = field(default_factory=set)
    known_values: dict[Tensor, Array] = field(default_factory=dict)
    late_runs: dict[Any, Run] = field(default_factory=dict)
    checkpoints: dict[str, dict[str, Array]] = field(default_factory=dict)
    open_layers: list[Any] = field(default_factory=list)
    in_training: Any = None
    masks: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    layer_kinds: Counter[str] = field(default_factory=Counter)
    seed_source: Any = None
    saved_models: dict[str, Any] = field(default_factory=dict)
    name_scope: str = ""
    autograd: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    jaxprs: list[dict[str, Any]] = field(default_factory=list)
    passes: list[list[dict[str, Any]]] = field(default_factory=list)
    more_passes: bool = False
    identities: dict[int, tuple[int, Any]] = field(default_factory=dict)
    board: Any = None

    def __post_init__(self) -> None:
        self.unused_at = set(self.at)
        self.graphs.append(self.graph)
        self.share_rules(self.graph)

    @property
    def last_values(self) -> dict[Tensor, Array]:
        """What each tensor was in the last run of a session that computed it."""
        for run in self.late_runs.values():
            self.known_values.update(run.values)
        self.late_runs.clear()
        return self.known_values

    def note_values(self, run: Run) -> None:
        """Take note of what a run computed; of runs that one function makes, when somebody looks."""
        if isinstance(run, LateRun):
            self.late_runs.pop(run.by, None)
            self.late_runs[run.by] = run
        else:
            self.last_values.update(run.values)

    def start_graph(self, graph: Graph) -> None:
        """Make a graph the default one until the run is over."""
        self.graph = graph
        if graph not in self.graphs:
            self.graphs.append(graph)
        self.opened.enter_context(graph.as_default())

    def share_rules(self, graph: Graph) -> None:
        """Let a graph find the gradient rules that the program registers: they hold for all its graphs."""
        graph.gradient_rules = ChainMap(graph.gradient_rules, self.gradient_rules)

    def request_value(self, names: Sequence[str]) -> Any:
        """The request's value for a variable under one of its names, or None."""
        for name in names:
            if name in self.at:
                self.unused_at.discard(name)
                return self.at[name]
        return None
