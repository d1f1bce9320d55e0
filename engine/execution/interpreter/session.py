"""Running a graph: fetches, feeds and the values of variables.

What a run sees of a variable follows one rule: an op with no path, data or control, from an update
sees the variables as they were before the run; an op that has such a path sees that update done.
A fetch of a variable, of a read of it or of an update is its buffer, and shows what the run leaves there.
Where no path orders a read and an update, TensorFlow takes either first: `unordered.py` finds these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from engine.errors import FeedError, GradlensError, UninitialisedError, ValueRefused
from engine.execution.budget import Meter, Unmetered
from engine.execution.interpreter.branches import alive, dies, merge, send, turns, untaken
from engine.execution.interpreter.buffers import MERGES, buffer_in, is_in_a_turn, written_at
from engine.execution.interpreter.feeds import not_fed, plain_feeds
from engine.execution.interpreter.fetching import cannot_fetch, held_at_end, named_fetch
from engine.execution.interpreter.order import ENTERS, Loop
from engine.execution.interpreter.plan import Plan, make_plan
from engine.execution.interpreter.prepared import HANDLES, Prepared
from engine.execution.interpreter.streams import Streams
from engine.execution.interpreter.trace import Run, Update
from engine.execution.straight_run import StraightRun
from engine.execution.tracing.tracer import NotLowered
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.kernels import run_kernel
from engine.ops.base.shapes import merge as merge_shapes
from engine.ops.base.slices import IndexedSlices, IndexedSlicesValue
from engine.ops.base.tensors import Array, array_dtype
from engine.ops.sources.datasets import Places, next_parts

WITHOUT_VALUE = ("Assign", "RefEnter", "RefSwitch", "IsVariableInitialized")  # take a variable as it is
SEVERAL = (IndexedSlices, dict, list, tuple)  # fetches that are more than one tensor

RUNS_BEFORE_A_FUNCTION = 16  # writing one takes as long as so many runs, or fewer

# The fetches one by one, what is fed, the plan, and whether the fetches are a list of single ones.
Asked = tuple[list[Tensor | Node], tuple[Tensor, ...], Plan, bool]
Observer = Callable[[Run], None]
Show = Callable[[str], None]


class Session:
    """The values of one graph's variables, and the way to run it.

    observe: called with the trace of every run.
    seed:    of the random nodes' streams; a new session starts them anew.
    streams: where these stand.
    places:  where iterators through datasets stand.
    show:    called with what nodes print.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        meter: Meter | None = None,
        observe: Observer | None = None,
        seed: int = 0,
        show: Show | None = None,
    ) -> None:
        self.graph = graph
        self.variables: dict[Node, Array] = {}
        self.streams = Streams(seed)
        self.places = Places()
        self.meter = meter or Unmetered()
        self._observe = observe
        self._show = show
        self._shown: Counter[Node] = Counter()
        self._prepared: dict[tuple[Node, frozenset[Node]], Prepared] = {}
        self._known: dict[Any, Asked] = {}
        self._plans: dict[tuple[int, tuple[Any, ...], frozenset[Tensor]], Plan] = {}

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """Compute the fetches; nested lists, tuples and dicts come back in the same form.

        Returns: arrays for tensors and variables, None for operations.
        Raises:  FeedError for a placeholder that the fetches need and nobody feeds;
                 UninitialisedError for a variable without a value.
        """
        run, is_row = self._ran(fetches, feed_dict or {})
        results = run.results()
        return results if is_row else _rebuild(fetches, iter(results))

    def do(self, operation: Node, feed_dict: Mapping[Any, Any]) -> None:
        """Run an operation for its effect. Raises: as `run`."""
        self._ran([operation], feed_dict)

    def _ran(self, fetches: Any, feed_dict: Mapping[Any, Any]) -> tuple[Run, bool]:
        """A run, and whether the fetches are a list of single ones."""
        flat, fed, plan, is_row = self._asked_before(fetches, feed_dict) or self._asked(fetches, feed_dict)
        feeds, shapes = plain_feeds(zip(fed, feed_dict.values(), strict=True))
        if plan.reads_on:  # the next elements of datasets go in as what is fed does
            elements, their_shapes = plain_feeds(self._next_elements(plan))
            feeds, shapes = {**elements, **feeds}, their_shapes + shapes
            plan = self._plan(flat, frozenset(feeds))
        key = (*feeds, *shapes)
        straight = plan.repeats.get(key)
        run: Run | None = None
        if type(straight) is StraightRun:
            run = straight.take(flat, feeds.values(), self.variables, self.meter)
        if run is None:
            run = self._by_nodes(plan, flat, feeds, key)
        if self._observe is not None:
            self._observe(run)
        return run, is_row

    # -- what is asked for -----------------------------------------------------------------------

    def _asked_before(self, fetches: Any, feed_dict: Mapping[Any, Any]) -> Asked | None:
        """What was made of the same fetches and keys, where a list of these was asked for before."""
        if type(fetches) is not list:
            return None
        try:
            return self._known[len(self.graph.nodes), len(fetches), *fetches, *feed_dict]
        except (KeyError, TypeError):
            return None

    def _asked(self, fetches: Any, feed_dict: Mapping[Any, Any]) -> Asked:
        """The fetches one by one, the tensors that are fed, and the plan for them."""
        flat = list(self._flatten(fetches))
        fed = tuple([self._fed(key) for key in feed_dict])
        is_row = type(fetches) is list and not any(isinstance(item, SEVERAL) for item in fetches)
        asked = flat, fed, self._plan(flat, frozenset(fed)), is_row
        if type(fetches) is list and all(isinstance(item, (Node, Tensor)) for item in (*fetches, *feed_dict)):
            self._known[len(self.graph.nodes), len(fetches), *fetches, *feed_dict] = asked
        return asked

    def _flatten(self, fetches: Any) -> Iterable[Tensor | Node]:
        if isinstance(fetches, IndexedSlices):
            yield from map(self._one_fetch, _parts(fetches))
        elif isinstance(fetches, (list, tuple)):
            for item in fetches:
                if isinstance(item, SEVERAL):
                    yield from self._flatten(item)
                else:
                    yield self._one_fetch(item)
        elif isinstance(fetches, dict):
            for item in fetches.values():
                yield from self._flatten(item)
        else:
            yield self._one_fetch(fetches)

    def _one_fetch(self, item: Any) -> Tensor | Node:
        if isinstance(item, str):
            item = named_fetch(self.graph, item)
        if isinstance(item, Variable):
            item = item.ref
        if not isinstance(item, (Tensor, Node)):
            raise cannot_fetch(item)
        if item.graph is not self.graph:
            raise ValueRefused(
                f"{item.name} belongs to another graph than this session.",
                hint="Create the session inside the graph's `as_default()` block.",
                message_zh=f"{item.name} 不属于这个会话的图。",
                hint_zh="请在该图的 `as_default()` 代码块中创建会话。",
                code="other_graph",
            )
        return item

    @property
    def plans(self) -> list[Plan]:
        """The plans of all that it ran, in order."""
        return list(self._plans.values())

    def is_fed(self, item: Any, feed_dict: Mapping[Any, Any]) -> bool:
        """Whether a fetch is among the tensors that are fed: its value is what was given."""
        fetch = self._one_fetch(item)
        return fetch in feed_dict or any(
            self._fed(key) is fetch for key in feed_dict if not isinstance(key, Tensor)
        )

    def _fed(self, key: Any) -> Tensor:
        tensor = self.graph.tensor(key) if isinstance(key, str) else key
        if isinstance(tensor, Variable):
            tensor = tensor.read
        if isinstance(tensor, Node):
            tensor = tensor.outputs[0]
        if not isinstance(tensor, Tensor):
            raise FeedError(
                "The keys of feed_dict are placeholders or other tensors.",
                message_zh="feed_dict 的键必须是占位符或其他张量。",
            )
        return tensor

    def _next_elements(self, plan: Plan) -> Iterator[tuple[Tensor, Any]]:
        """What iterators give in this run."""
        for node in plan.reads_on:
            yield from next_parts(self.places, node)

    def _plan(self, flat: list[Tensor | Node], fed: frozenset[Tensor]) -> Plan:
        key = (len(self.graph.nodes), tuple(flat), fed)
        if key not in self._plans:
            targets = [item if isinstance(item, Node) else item.node for item in flat if item not in fed]
            self._plans[key] = make_plan(targets, fed)
        return self._plans[key]

    # -- running ---------------------------------------------------------------------------------

    def _by_nodes(
        self, plan: Plan, flat: Sequence[Tensor | Node], plain: Mapping[Tensor, Any], key: Any
    ) -> Run:
        """A run node by node; one that is made again and again gets a function."""
        feeds = {tensor: np.asarray(value, array_dtype(tensor.dtype)) for tensor, value in plain.items()}
        before, spent = dict(self.variables), self._spent
        run = self._execute(plan, feeds)
        run.fetches = tuple([(item, self._result(item, run)) for item in flat])
        for handle in [tensor for tensor in run.values if tensor.dtype in HANDLES]:
            del run.values[handle]  # not a value that can be shown
        count = plan.repeats.get(key, 0)
        if isinstance(count, int):
            plan.repeats[key] = count + 1
            if count + 1 == RUNS_BEFORE_A_FUNCTION:
                with suppress(NotLowered):
                    plan.repeats[key] = StraightRun(plan, feeds, before, run, self._spent - spent)
        return run

    @property
    def _spent(self) -> int:
        """The element operations that the meter has counted."""
        return getattr(self.meter, "operations", 0)

    def _execute(self, plan: Plan, feeds: Mapping[Tensor, Array]) -> Run:
        trace = Run(feeds=tuple(feeds.items()), values={**feeds, **plan.lasting})
        before = dict(self.variables)
        is_again = bool(plan.prepared)
        self.meter.check_clock()
        with np.errstate(all="ignore"):
            self._run_steps(plan.changing or plan.steps, plan, before, trace)
        if is_again and not plan.changing:  # most plans run once, so only a second run pays for it
            plan.keep_lasting(trace.values, feeds)
        return trace

    def _run_steps(
        self, steps: Iterable[Node | Loop], plan: Plan, before: Mapping[Node, Array], trace: Run
    ) -> None:
        prepared = plan.prepared
        for step in steps:
            if isinstance(step, Loop):
                for turn in turns(step, trace):
                    self.meter.check_clock()
                    self._run_steps(turn, plan, before, trace)
            elif step.op.name != "VariableV2" and not dies(step, trace):
                ready = prepared.get(step)
                if ready is None:
                    ready = prepared[step] = self._ready(step, plan.sees_written[step])
                self._step(ready, before, trace)

    def _ready(self, node: Node, sees: frozenset[Node]) -> Prepared:
        """A node as it was prepared for another plan, or anew."""
        key = (node, sees)
        if key not in self._prepared:
            self._prepared[key] = Prepared(node, sees)
        return self._prepared[key]

    def _step(self, ready: Prepared, before: Mapping[Node, Array], trace: Run) -> None:
        """Run one node: gather what it sees, compute, keep its outputs and its writes."""
        node, values = ready.node, trace.values
        arguments: list[Any] = []
        try:
            if ready.is_plain:
                arguments = [values[tensor] for tensor in ready.inputs]
            else:
                arguments = self._arguments(ready, before, trace)
            self._compute(ready, arguments, trace)
        except GradlensError as error:
            error.in_run = error.in_run or (node, arguments)
            raise

    def _compute(self, ready: Prepared, arguments: list[Any], trace: Run) -> None:
        """What a node gives for the values that go in."""
        node, values = ready.node, trace.values
        ready.charge(arguments, self.meter)
        parameters = ready.parameters
        if node.op.draws:
            parameters = {**parameters, "generator": self.streams.generator(node)}
        if node.op.keeps:
            parameters = {**parameters, "kept": self.places.kept_for(node)}
        result = run_kernel(node, arguments, parameters)
        if ready.is_plain and not isinstance(result, (list, tuple)):
            values[ready.outputs[0]] = np.asarray(result, dtype=ready.dtypes[0])
        else:
            self._keep(ready, result, trace)
        if node.op.text_rule is not None and self._show is not None:
            self._report(ready, arguments, self._show)

    def _report(self, ready: Prepared, arguments: Sequence[Any], show: Show) -> None:
        """Show what a node prints, as often as it asks for."""
        node, most = ready.node, ready.parameters.get("first_n", -1)
        if node.op.text_rule is not None and (most < 0 or self._shown[node] < most):
            self._shown[node] += 1
            show(node.op.text_rule(*arguments, **ready.parameters))

    def _arguments(self, ready: Prepared, before: Mapping[Node, Array], trace: Run) -> list[Any]:
        node = ready.node
        if node.op.name == "Placeholder":
            raise not_fed(node)
        arguments = [
            self._input(ready, position, before, trace) if tensor not in trace.dead else None
            for position, tensor in enumerate(ready.inputs)
        ]
        return alive(node, arguments, trace)

    def _input(self, ready: Prepared, position: int, before: Mapping[Node, Array], trace: Run) -> Any:
        tensor, variable, writes = ready.inputs[position], ready.reads[position], ready.node.op.writes
        merged = ready.merged[position]
        if merged:
            variable = buffer_in(tensor, trace)
        if variable is None:
            return trace.values[tensor]
        in_a_turn = (  # each turn sees what those before it have written
            (tensor.node.op.name in ENTERS or (merged and is_in_a_turn(tensor)))
            and self.variables.get(variable) is not before.get(variable)
        )
        if tensor in trace.values and position not in writes:
            sees = (variable in ready.sees or in_a_turn) and not trace.is_fed(tensor)
            return (
                _as_it_is_now(trace.values[tensor], self.variables[variable])
                if sees
                else trace.values[tensor]
            )
        if position == 0 and ready.node.op.name in WITHOUT_VALUE:
            return self.variables.get(variable)
        current = position in writes or variable in ready.sees or in_a_turn
        buffers = self.variables if current else before
        if variable not in buffers:
            raise uninitialised(variable)
        return buffers[variable]

    def _keep(self, ready: Prepared, result: Any, trace: Run) -> None:
        node = ready.node
        if node.op.writes:
            news = result if isinstance(result, tuple) else (result,)
            for index, new in zip(node.op.writes, news, strict=True):
                self._write(node, written_at(node, index), new, trace)
            result = news[0]
        outputs = result if isinstance(result, (list, tuple)) else (result,)
        for tensor, value, dtype in zip(ready.outputs, outputs, ready.dtypes, strict=False):
            trace.values[tensor] = np.asarray(value, dtype=dtype)
        if node.op.name in ("Switch", "RefSwitch"):
            send(node, trace)
        elif node.op.name in MERGES:
            merge(node, trace)

    def _write(self, by: Node, variable: Node, new: Any, trace: Run) -> None:
        buffer = variable.outputs[0]
        value = np.array(new, dtype=array_dtype(buffer.dtype))
        merge_shapes(buffer.shape, value.shape)
        trace.updates.append(Update(variable, by, self.variables.get(variable), value))
        self.variables[variable] = value

    def _result(self, item: Tensor | Node, trace: Run) -> Any:
        if isinstance(item, Node):
            return None
        if item.node.op.name == "VariableV2":
            if item.node not in self.variables:
                raise uninitialised(item.node)
            trace.values[item] = self.variables[item.node]
        if item in trace.dead:
            raise untaken(item)
        variable = held_at_end(item, trace)
        value = trace.values[item]
        return value if variable is None else _as_it_is_now(value, self.variables[variable])


def _as_it_is_now(view: Array, buffer: Array) -> Array:
    """What a view of a variable's memory shows; memory of another size is not the same any more."""
    return buffer.reshape(view.shape) if buffer.size == view.size else view


def _parts(slices: IndexedSlices) -> list[Tensor]:
    parts = (slices.values, slices.indices, slices.dense_shape)
    return [part for part in parts if part is not None]


def _rebuild(fetches: Any, results: Any) -> Any:
    if isinstance(fetches, IndexedSlices):
        found = [next(results) for _ in _parts(fetches)]
        return IndexedSlicesValue(found[0], found[1], found[2] if len(found) > 2 else None)
    if isinstance(fetches, list):
        return [_rebuild(item, results) if isinstance(item, SEVERAL) else next(results) for item in fetches]
    if isinstance(fetches, tuple):
        return tuple(_rebuild(item, results) for item in fetches)
    if isinstance(fetches, dict):
        return {key: _rebuild(item, results) for key, item in fetches.items()}
    return next(results)


def uninitialised(variable: Node, name: str = "") -> UninitialisedError:
    """A variable that is needed has no value. name: what the program calls it."""
    name = name or variable.name
    return UninitialisedError(
        f"The variable {name} has no value yet.",
        hint="Run sess.run(tf.global_variables_initializer()) first.",
        message_zh=f"变量 {name} 还没有值。",
        hint_zh="请先运行 sess.run(tf.global_variables_initializer())。",
        kind="FailedPreconditionError",
        said=f"Attempting to use uninitialized value {variable.name}",
        node=variable.name,
    )
