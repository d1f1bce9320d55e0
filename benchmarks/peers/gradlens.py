"""Ours, by the engine's public functions: text in; graphs, programs, loops and answers out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, growth, mlp, own_loops, race, rosenbrock
from benchmarks.workloads.workload import OURS
from engine import ops
from engine.differentiation import gradients, prepare_templates
from engine.execution import Session, lower, lower_training
from engine.execution.budget import PROFILES, Limits
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan
from engine.graph import Graph, Node, Tensor, Variable
from engine.optimizers import Optimizer, adam_optimizer, gradient_descent_optimizer
from engine.programs import ProgramRequest, RunRequest, optimise, run_program, trace
from engine.programs.program.running import run_request
from engine.programs.program.target import add_default_gradients
from engine.programs.program.tracing import Trace
from engine.programs.races.batch import RaceBatch
from engine.programs.races.race_run import race_runs

Read = Callable[..., Any]  # a column by its kind, and by its name where the kind has several

LIMITS = Limits()


def _warm_up() -> None:
    """Less than every worker of the service does when it starts (`warm_up`)."""
    prepare_templates()
    program = _differentiated("y = x + 1")
    lower([program.target, *program.slopes.values()], [program.variables["x"].ref]).function(1.0)
    trace(ProgramRequest(source="y = x + 1"), _with_optimizer(1, {"x": 1.0}, "GradientDescent", 0.1), LIMITS)


PEER = Peer(OURS, package="gradlens", warm_up=_warm_up)


@dataclass(frozen=True, slots=True)
class Differentiated:
    """A program's target, its variables and their gradients by name."""

    graph: Graph
    target: Tensor
    variables: dict[str, Variable]
    slopes: dict[str, Tensor]


def _differentiated(source: str) -> Differentiated:
    outcome = run_request(ProgramRequest(source=source), LIMITS)
    add_default_gradients(outcome, None)
    call = outcome.workspace.gradient_calls[-1]
    names = [variable.node.name for variable in call.xs]
    variables, slopes = (dict(zip(names, of, strict=True)) for of in (call.xs, call.gradients))
    return Differentiated(outcome.graph, call.ys[0], variables, slopes)


# -- one evaluation -----------------------------------------------------------------------------------


@PEER.does("W1", "all node values")
def exp_sin_every_node() -> Task:
    program = _differentiated(exp_sin.TEXT)
    y, dy = program.target, program.slopes["x"]
    others = [t for t in _computed([y.node, dy.node]) if t not in (y, dy)]
    return _at_x(program, [y, dy, *others])


@PEER.does("W1", "gradient only")
def exp_sin_gradient() -> Task:
    program = _differentiated(exp_sin.TEXT)
    return _at_x(program, [program.target, program.slopes["x"]])


def _at_x(program: Differentiated, fetches: list[Tensor]) -> Task:
    function = lower(fetches, [program.variables["x"].ref]).function
    return Task(function, (exp_sin.X,), lambda values: {"y": values[0], "dy": values[1]})


def _computed(targets: Sequence[Node]) -> list[Tensor]:
    """Every scalar that is worked out on the way to the targets, and what variables hold."""
    nodes = [node for step in make_plan(targets).steps for node in nodes_of(step)]
    tensors = [tensor for node in nodes for tensor in node.outputs]
    return [t for t in tensors if t.node.phase != "update" and t.node.op.name != "Const" and t.shape == ()]


def _deep_gradient(compiled: bool) -> Task:
    _let_be_compiled(compiled)
    program = _differentiated(deep.TEXT)
    arguments = [variable.ref for variable in program.variables.values()]
    function = lower([program.target, *program.slopes.values()], arguments)
    if compiled and not function.compile():
        raise RuntimeError("the program was not compiled")
    return Task(function, tuple(deep.parameters()), deep.named)


PEER.does("W5", "numpy")(partial(_deep_gradient, False))
PEER.does("W5", "numba", what=("warm",))(partial(_deep_gradient, True))


@PEER.does("W7")
def surfaces() -> Task:
    with Graph(default_float="float64").as_default():
        x, y = (
            ops.placeholder("float64", shape=(1, grids.SIZE)),
            ops.placeholder("float64", shape=(grids.SIZE, 1)),
        )
        valley = ops.square(1.0 - x) + 100.0 * ops.square(y - ops.square(x))
        hills = ops.square(ops.square(x) + y - 11.0) + ops.square(x + ops.square(y) - 7.0)
    return Task(lower([valley, hills], [x, y]), grids.axes(), grids.named)


def _let_be_compiled(compiled: bool) -> None:
    """Keep what is measured in Python so: where numba is installed, it becomes machine code after a while."""
    if not compiled:
        os.environ["NUMBA_DISABLE_JIT"] = "1"


# -- loops ----------------------------------------------------------------------------------------------


def _loop(
    train_op: Node,
    start: dict[Variable, Any],
    record: dict[str, Tensor],
    steps: int,
    every: Sequence[Tensor] = (),
    compiled: bool = False,
) -> Task:
    """`steps` steps from values of the variables, all others as they are initialised."""
    _let_be_compiled(compiled)
    loop = lower_training(train_op, [*record.values(), *every])
    session = Session(train_op.graph)
    session.run([v.initializer for v in train_op.graph.collection("variables")])
    state = {**session.variables, **{variable.node: value for variable, value in start.items()}}
    if compiled and not loop.compile(state):
        raise RuntimeError("the loop was not compiled")

    def read(columns: Any) -> dict[str, Any]:
        return {name: columns[tensor] for name, tensor in record.items()}

    return Task(loop.run, (state, steps), read)


def _trained(program: Differentiated, optimizer: Optimizer) -> tuple[Node, dict[str, Tensor]]:
    """The train op of an optimizer on the target, and what is compared: variables, target, gradients."""
    with program.graph.as_default():
        pairs = optimizer.compute_gradients(program.target, list(program.variables.values()))
        train_op = optimizer.apply_gradients(pairs)
    record = {name: variable.ref for name, variable in program.variables.items()}
    record |= {f"d{name}": gradient for name, (gradient, _) in zip(record, pairs, strict=True)}
    return train_op, record


def _descent(steps: int, compiled: bool) -> Task:
    program = _differentiated(descent.TEXT)
    train_op, record = _trained(program, gradient_descent_optimizer(descent.RATE))
    start = {program.variables["x"]: descent.START}
    columns = {"x": record["x"], "y": program.target, "dy": record["dx"]}
    return _loop(train_op, start, columns, steps, compiled=compiled)


def _adam_on_rosenbrock(compiled: bool) -> Task:
    program = _differentiated(rosenbrock.TEXT)
    train_op, record = _trained(program, adam_optimizer(rosenbrock.RATE))
    start = dict(zip(program.variables.values(), rosenbrock.START, strict=True))
    record |= {"f": program.target}
    return _loop(train_op, start, record, rosenbrock.STEPS, _computed([train_op]), compiled)


for _way, _compiled in (("Python", False), ("numba", True)):
    for _name, _count in descent.STEPS.items():
        PEER.does(_name, _way, what=("warm",))(partial(_descent, _count, _compiled))
    PEER.does("W3", _way, what=("warm",))(partial(_adam_on_rosenbrock, _compiled))


def _train_mlp(compiled: bool) -> Task:
    outcome = run_request(ProgramRequest(source=mlp.TEXT), LIMITS)
    train_op = outcome.workspace.updates[-1].train_op
    variables = [variable for _, variable in outcome.workspace.updates[-1].pairs]
    loss = outcome.workspace.gradient_calls[-1].ys[0]
    record = {str(k): variable.ref for k, variable in enumerate(variables)} | {"loss": loss}
    start = dict(zip(variables, mlp.start(), strict=True))
    task = _loop(train_op, start, record, mlp.STEPS, compiled=compiled)

    def read(columns: Any) -> dict[str, Any]:
        parts = [np.reshape(columns[v.ref], (mlp.STEPS, -1)) for v in variables]
        return {"loss": columns[loss], "parameters": np.concatenate(parts, axis=1)}

    return Task(task.run, task.args, read)


PEER.does("W4", "numpy", what=("warm",))(partial(_train_mlp, False))
PEER.does("W4", "numba", what=("warm",))(partial(_train_mlp, True))


# -- from text to a complete trace, and to the answer that the page gets: that as JSON, with the graph ----


def _from_text(workload: str, source: str, run: RunRequest, read: Callable[[Read], Any]) -> None:
    """Both ways; `read` is given what takes a column by its kind and name."""
    request = ProgramRequest(source=source)

    def read_trace(found: Trace) -> Any:
        names = {"loss": {"": found.loss}, "variables": found.variables, "gradients": found.gradients}
        return read(lambda kind, name="": found.columns[names[kind][name]][: run.steps])

    def read_answer(answer: dict[str, Any]) -> Any:
        return read(lambda kind, name="": (answer[kind][name] if name else answer[kind])[: run.steps])

    trace_task = partial(Task, trace, (request, run, LIMITS), read_trace)
    answer_task = partial(Task, optimise, (request, run, LIMITS), read_answer)
    PEER.does(workload, "text to trace", what=("cold",))(trace_task)
    PEER.does(workload, "text to answer", what=("cold",))(answer_task)


def _with_optimizer(steps: int, start: dict[str, float], optimizer: str, rate: float) -> RunRequest:
    return RunRequest(steps, optimizer={"name": optimizer, "learning_rate": rate}, start=start)


def _read_descent(column: Read) -> dict[str, Any]:
    return {"x": column("variables", "x"), "y": column("loss"), "dy": column("gradients", "x")}


def _read_valley(column: Read) -> dict[str, Any]:
    slopes = {f"d{name}": column("gradients", name) for name in "xy"}
    return {"f": column("loss"), **{name: column("variables", name) for name in "xy"}, **slopes}


def _read_network(column: Read) -> dict[str, Any]:
    parts = [np.reshape(column("variables", name), (mlp.STEPS, -1)) for name in mlp.NAMES]
    return {"loss": column("loss"), "parameters": np.concatenate(parts, axis=1)}


_from_text(
    "W2-100",
    descent.TEXT,
    _with_optimizer(100, {"x": descent.START}, "GradientDescent", descent.RATE),
    _read_descent,
)
_from_text(
    "W3",
    rosenbrock.TEXT,
    _with_optimizer(
        rosenbrock.STEPS, dict(zip("xy", rosenbrock.START, strict=True)), "Adam", rosenbrock.RATE
    ),
    _read_valley,
)
_from_text("W4", mlp.TEXT, RunRequest(mlp.STEPS), _read_network)


def _own_loop(source: str) -> Task:
    """A program with a loop of its own, from its text to its answer."""

    def read(answer: dict[str, Any]) -> dict[str, Any]:
        (found,) = [one for one in answer["bindings"] if one["name"] == "found"]
        return own_loops.named([item["value"] for item in found["items"]])

    return Task(run_program, (ProgramRequest(source=source), PROFILES["own"]), read)


PEER.does("W9", "text to answer")(partial(_own_loop, own_loops.SESSION_TEXT))
PEER.does("W10", "text to answer")(partial(_own_loop, own_loops.TAPE_TEXT))


# -- a race -----------------------------------------------------------------------------------------------


def _at_the_start(spare: bool) -> RaceBatch:
    """The thousand runs at their start; `spare`: the columns of slots and hyper-parameters are left out."""
    own = {"Momentum": {"momentum": race.MOMENTUM}}
    start, rates = dict(zip("xy", race.START, strict=True)), race.rates().tolist()
    runs = [
        RunRequest(
            race.STEPS,
            optimizer={"name": name, "learning_rate": rate, **own.get(name, {})},
            start=start,
        )
        for name in race.OPTIMIZERS
        for rate in rates
    ]
    outcome = run_request(ProgramRequest(source=race.TEXT), LIMITS)
    return RaceBatch.start(outcome, race_runs(runs), LIMITS, spare=spare)


def _read_race(batch: RaceBatch, columns: Any) -> dict[str, Any]:
    places = {node.name: columns[node][: race.STEPS] for node in batch.trained}
    return {"x": places["x"], "y": places["y"], "loss": columns[batch.loss][: race.STEPS]}


def _race_from_text(spare: bool) -> Task:
    def run() -> tuple[RaceBatch, Mapping[Any, Any]]:
        batch = _at_the_start(spare)
        return batch, batch.columns(race.STEPS)

    return Task(run, (), lambda found: _read_race(*found))


PEER.does("W8", "text to places, losses and gradients", what=("cold",))(partial(_race_from_text, spare=True))
PEER.does("W8", "text to every column", what=("cold",))(partial(_race_from_text, spare=False))


def _race_again(batch: RaceBatch) -> Task:
    def run() -> Any:
        batch.loop.restart()
        return batch.loop.run(race.STEPS, last=False)

    return Task(run, (), lambda columns: _read_race(batch, columns))


@PEER.does("W8", what=("warm",))
def race_again() -> Task:
    return _race_again(_at_the_start(spare=True))


@PEER.does("W8", "numba", what=("warm",))
def race_in_machine_code() -> Task:
    batch = _at_the_start(spare=True)
    if not batch.loop.compile():
        raise RuntimeError("the race was not compiled")
    return _race_again(batch)


# -- growth -----------------------------------------------------------------------------------------------


def _grow(shape: str, operations: int) -> tuple[Tensor, Tensor, Tensor]:
    """x, y and dy/dx of a long program, by the operators that a person writes."""
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=())
        y = x
        for k in range(operations):
            if shape == "sum":
                y = y + x
            elif k % 3 == 0:
                y = ops.sin(y)
            elif k % 3 == 1:
                y = y * x
            else:
                y = y + 1.5
        (dy,) = gradients(y, [x])
    return x, y, dy


def _evaluated(tensors: tuple[Tensor, Tensor, Tensor]) -> dict[str, float]:
    x, y, dy = tensors
    value, slope = Session(y.graph).run([y, dy], {x: growth.X})
    return {"y": value, "dy": slope}


def _grow_and_read(shape: str, operations: int) -> tuple[Tensor, Tensor, Tensor]:
    """The same; then every node is looked at, so that all lazy nodes are made."""
    tensors = _grow(shape, operations)
    assert all(node.name for node in tensors[0].graph.nodes)
    return tensors


for _shape in growth.SHAPES:
    for _size, _count in growth.SIZES.items():
        for _way, _work in (("", _grow), ("every node then read", _grow_and_read)):
            PEER.does(f"W6-{_shape}-{_size}", _way, what=("cold",))(
                partial(Task, _work, (_shape, _count), _evaluated)
            )
