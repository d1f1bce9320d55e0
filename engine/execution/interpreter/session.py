"""Running a graph: fetches, feeds and the values of variables.

What a run sees of a variable follows one rule: an op with no path, data or control, from an update
sees the variables as they were before the run; an op that has such a path sees that update done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import FeedError, UninitialisedError, ValueRefused
from engine.execution.budget import Meter, Unmetered
from engine.execution.interpreter.branches import MERGES, alive, dies, number, send, turns, untaken
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import PASSED_ON, Plan, make_plan, written_at
from engine.execution.interpreter.prepared import Prepared
from engine.execution.interpreter.streams import Streams
from engine.execution.interpreter.trace import Run, Update
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.kernels import run_kernel
from engine.ops.base.building import as_array
from engine.ops.base.shapes import written
from engine.ops.base.slices import IndexedSlices, IndexedSlicesValue
from engine.ops.base.tensors import INTEGERS, Array

WITHOUT_VALUE = ("Assign", "RefEnter", "RefSwitch", "IsVariableInitialized")  # take a variable as it is
SEVERAL = (IndexedSlices, dict, list, tuple)  # fetches that are more than one tensor

Observer = Callable[[Run], None]
Show = Callable[[str], None]


class Session:
    """The values of one graph's variables, and the way to run it.

    observe: called with the trace of every run.
    seed:    of the random nodes' streams; a new session starts them anew.
    streams: where these stand.
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
        self._meter = meter or Unmetered()
        self._observe = observe
        self._show = show
        self._shown: Counter[Node] = Counter()
        self._prepared: dict[tuple[Node, frozenset[Node]], Prepared] = {}
        self._plans: dict[tuple[int, tuple[Any, ...], frozenset[Tensor]], Plan] = {}

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """Compute the fetches; nested lists, tuples and dicts come back in the same form.

        Returns: arrays for tensors and variables, None for operations.
        Raises:  FeedError for a placeholder that the fetches need and nobody feeds;
                 UninitialisedError for a variable without a value.
        """
        flat = list(self._flatten(fetches))
        feeds = dict(self._feed(key, value) for key, value in (feed_dict or {}).items())
        trace = self._execute(self._plan(flat, frozenset(feeds)), feeds)
        results = [self._result(item, trace) for item in flat]
        trace.fetches = tuple(zip(flat, results, strict=True))
        trace.feeds = tuple(feeds.items())
        if self._observe is not None:
            self._observe(trace)
        return _rebuild(fetches, iter(results))

    # -- what is asked for -----------------------------------------------------------------------

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
            item = self.graph.tensor(item) if ":" in item else self.graph.node(item)
        if isinstance(item, Variable):
            item = item.ref
        if not isinstance(item, (Tensor, Node)):
            raise _cannot_fetch(item)
        if item.graph is not self.graph:
            raise ValueRefused(
                f"{item.name} belongs to another graph than this session.",
                hint="Create the session inside the graph's `as_default()` block.",
                message_zh=f"{item.name} 不属于这个会话的图。",
                hint_zh="请在该图的 `as_default()` 代码块中创建会话。",
                code="other_graph",
            )
        return item

    def is_fed(self, item: Any, feed_dict: Mapping[Any, Any]) -> bool:
        """Whether a fetch is among the tensors that are fed: its value is what was given."""
        return self._one_fetch(item) in [self._fed(key) for key in feed_dict]

    def _feed(self, key: Any, value: Any) -> tuple[Tensor, Array]:
        tensor = self._fed(key)
        return tensor, fed_value(tensor, value)

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

    def _plan(self, flat: list[Tensor | Node], fed: frozenset[Tensor]) -> Plan:
        key = (len(self.graph.nodes), tuple(flat), fed)
        if key not in self._plans:
            targets = [item if isinstance(item, Node) else item.node for item in flat if item not in fed]
            self._plans[key] = make_plan(targets, fed)
        return self._plans[key]

    # -- running ---------------------------------------------------------------------------------

    def _execute(self, plan: Plan, feeds: Mapping[Tensor, Array]) -> Run:
        trace = Run(values={**feeds, **plan.lasting})
        before = dict(self.variables)
        is_again = bool(plan.prepared)
        self._meter.check_clock()
        with np.errstate(all="ignore"):
            self._run_steps(plan.changing or plan.steps, plan, before, trace)
        if is_again and not plan.changing:  # most plans run once, so only a second run pays for it
            plan.keep_lasting(trace.values, feeds)
        for handle in [tensor for tensor in trace.values if tensor.dtype == "resource"]:
            del trace.values[handle]  # what a loop filled; not a value that can be shown
        return trace

    def _run_steps(
        self, steps: Iterable[Node | Loop], plan: Plan, before: Mapping[Node, Array], trace: Run
    ) -> None:
        prepared = plan.prepared
        for step in steps:
            if isinstance(step, Loop):
                for turn in turns(step, trace):
                    self._meter.check_clock()
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
        if ready.is_plain:
            arguments = [values[tensor] for tensor in ready.inputs]
        else:
            arguments = self._arguments(ready, before, trace)
        ready.charge(arguments, self._meter)
        parameters = ready.parameters
        if node.op.draws:
            parameters = {**parameters, "generator": self.streams.generator(node)}
        result = run_kernel(node, arguments, parameters)
        if ready.is_plain and not isinstance(result, (list, tuple)):
            values[ready.outputs[0]] = np.asarray(result, dtype=ready.dtypes[0])
        else:
            self._keep(ready, result, trace)
        if node.op.text_rule is not None and self._show is not None:
            self._tell(ready, arguments, self._show)

    def _tell(self, ready: Prepared, arguments: Sequence[Any], show: Show) -> None:
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
        if tensor in trace.values and tensor.node.op.name not in (*PASSED_ON, "VariableV2"):
            return trace.values[tensor]
        in_a_turn = tensor.node.op.name == "RefEnter"  # each turn sees what those before it have written
        if variable is None or (tensor in trace.values and variable not in ready.sees and not in_a_turn):
            return trace.values[tensor]
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
            number(node, trace)

    def _write(self, by: Node, variable: Node, new: Any, trace: Run) -> None:
        value = np.array(new, dtype=variable.outputs[0].dtype)
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
        return trace.values[item]


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


def fed_value(tensor: Tensor, value: Any) -> Array:
    """What a feed gives a tensor, in the tensor's dtype. Raises: FeedError where it does not fit."""
    if isinstance(value, (Tensor, Variable)):
        raise FeedError(
            f"{tensor.name} is fed with a tensor.",
            hint="Feed a number, a list or a numpy array; run the tensor first.",
            message_zh=f"{tensor.name} 被喂入了一个张量。",
            hint_zh="请喂入数字、列表或 numpy 数组；先运行该张量。",
        )
    array = _converted(tensor, value)
    if not _compatible(tensor.shape, array.shape):
        raise FeedError(
            f"{tensor.name} takes the shape {written(tensor.shape)}, but was fed {written(array.shape)}.",
            message_zh=f"{tensor.name} 需要形状 {written(tensor.shape)}，但喂入了 {written(array.shape)}。",
            hint="Reshape the value, or give the placeholder another shape; None stands for any length.",
            hint_zh="请改变值的形状，或给占位符另一个形状；None 表示任意长度。",
            code="shape_mismatch",
        )
    return array


def _converted(tensor: Tensor, value: Any) -> Array:
    array = as_array(np.asarray(value)) if not isinstance(value, (list, tuple)) else np.asarray(value)
    if tensor.dtype in INTEGERS and not np.array_equal(array, np.floor(array)):
        raise FeedError(
            f"{tensor.name} holds {tensor.dtype}, but was fed a fraction.",
            message_zh=f"{tensor.name} 的类型是 {tensor.dtype}，但喂入了小数。",
        )
    return array.astype(tensor.dtype)


def _compatible(wanted: Any, given: tuple[int, ...]) -> bool:
    if wanted is None:
        return True
    return len(wanted) == len(given) and all(n in (None, m) for n, m in zip(wanted, given, strict=True))


def _cannot_fetch(item: Any) -> ValueRefused:
    kind = "None" if item is None else type(item).__name__
    return ValueRefused(
        f"A session fetches tensors, variables and operations, not {kind}.",
        hint="A gradient that is None has no path from x to y; leave it out."
        if item is None
        else "Pass what an operation returned.",
        message_zh=f"会话只能获取张量、变量和运算，不能获取 {kind}。",
        hint_zh="为 None 的梯度表示 x 与 y 没有连接；请不要获取它。"
        if item is None
        else "请传入运算返回的对象。",
        code="cannot_fetch",
    )


def not_fed(node: Node, name: str = "") -> FeedError:
    """A placeholder that is needed has no value. name: what the program calls it."""
    name, dtype = name or node.name, node.outputs[0].dtype
    return FeedError(
        f"The placeholder {name} ({dtype}) has no value in this run.",
        hint=f"Add it to the run: feed_dict={{{name}: …}}.",
        message_zh=f"占位符 {name}（{dtype}）在这次运行中没有值。",
        hint_zh=f"请在运行时喂入：feed_dict={{{name}: …}}。",
        code="missing_feed",
        node=node.name,
    )


def uninitialised(variable: Node, name: str = "") -> UninitialisedError:
    """A variable that is needed has no value. name: what the program calls it."""
    name = name or variable.name
    return UninitialisedError(
        f"The variable {name} has no value yet.",
        hint="Run sess.run(tf.global_variables_initializer()) first.",
        message_zh=f"变量 {name} 还没有值。",
        hint_zh="请先运行 sess.run(tf.global_variables_initializer())。",
        node=variable.name,
    )
