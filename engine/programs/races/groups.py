"""Which runs go together: those whose optimizers differ in nothing but numbers share one train op."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.execution import Session
from engine.execution.batching import Group, Unbatchable
from engine.execution.interpreter.buffers import written_by
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan
from engine.graph import Node, Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.request_values import request_array
from engine.ops.base.tensors import Array
from engine.optimizers import Rule
from engine.optimizers.catalogue import rule_named
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.races.race_run import RaceRun
from engine.programs.training.processing import Pairs
from engine.programs.training.training import Training, constant_of, rows_of, start_at, training_for

Initial = Mapping[Node, Array]
NUMBERED = re.compile(r"_\d+$")  # what a name has more where an earlier group has taken it


@dataclass(frozen=True, slots=True)
class RunGroup:
    """Runs with one train op.

    settings: the hyper-parameters in which they differ, a number for each.
    starts:   the variables that a run's request starts elsewhere.
    own:      the variables that this train op writes alone: slots, step counts.
    """

    runs: tuple[RaceRun, ...]
    training: Training
    settings: Mapping[Tensor, Array]
    starts: tuple[Initial, ...] = ()
    own: tuple[Node, ...] = ()

    def batched(self, initial: Initial, shared: Sequence[Tensor]) -> Group:
        """The group as the loop takes it, its own variables at their start."""
        return Group(
            self.training.train_op,
            len(self.runs),
            settings=self.settings,
            state={node: stacked(node, self.starts, initial) for node in self.own},
            fetches=[tensor for tensor in self.ready if tensor not in shared],
        )

    @property
    def ready(self) -> list[Tensor]:
        """The processed gradients."""
        return [rows_of(gradient) for gradient, _ in self.training.processed if gradient is not None]


def groups_of(outcome: Outcome, runs: Sequence[RaceRun]) -> list[RunGroup]:
    """Build one train op for each kind of optimizer, all from the same gradients.

    Raises: GradlensError where a run's request does not fit the program; it names the run.
            Unbatchable where runs have to be computed one by one.
    """
    groups: list[RunGroup] = []
    raw: Pairs | None = None
    made: list[list[Variable]] = []
    for alike in _kinds(runs):
        before = len(outcome.graph.collection(GLOBAL_VARIABLES))
        first = alike[0]
        training = first.asks(training_for, outcome, first.request, raw)
        made.append(outcome.graph.collection(GLOBAL_VARIABLES)[before:])
        if (first.request.optimizer or {}).get("name") is not None:
            raw = training.raw
        groups.append(RunGroup(tuple(alike), training, _settings(training, alike)))
    return [
        _complete(group, own, [v for other in made if other is not own for v in other])
        for group, own in zip(groups, made, strict=True)
    ]


def stacked(node: Node, starts: Sequence[Initial], initial: Initial) -> Array:
    """A variable's start for each run (runs, *S), or (1, *S) where none starts it elsewhere."""
    distinct = {id(start): start for start in starts}  # runs that start alike have the same one
    if not any(node in start for start in distinct.values()):
        return initial[node][None]
    values = np.stack([start.get(node, initial[node]) for start in distinct.values()])
    place = {number: n for n, number in enumerate(distinct)}
    return np.asarray(values[[place[id(start)] for start in starts]])


def _complete(group: RunGroup, made: Sequence[Variable], apart: Sequence[Variable]) -> RunGroup:
    """The group with its runs' starts, and with the variables that belong to its train op alone."""
    others = {variable.node.name for variable in apart}
    called = {v: NUMBERED.sub("", v.node.name) for v in made if NUMBERED.sub("", v.node.name) in others}
    training = replace(group.training, apart=frozenset(apart), called=called)
    trained = {variable.node for gradient, variable in training.raw if gradient is not None}
    plan = make_plan([training.train_op], frozenset(rows_of(g) for g, _ in training.raw if g is not None))
    written = {node for step in plan.steps if isinstance(step, Node) for node in written_by(step)}
    starts: list[Initial] = []
    before: RunRequest | None = None
    for run in group.runs:
        asked = run.request
        again = before is not None and (asked.start, asked.slots) == (before.start, before.slots)
        starts.append(starts[-1] if again else run.asks(_start, training, asked))
        before = asked
    own = tuple(sorted(written - trained, key=lambda node: node.index))
    return replace(group, training=training, starts=tuple(starts), own=own)


def _start(training: Training, run: RunRequest) -> Initial:
    if not run.start and not run.slots:
        return {}
    session = Session(training.loss.graph)
    start_at(training, session, run)
    return session.variables


def _settings(training: Training, runs: Sequence[RaceRun]) -> dict[Tensor, Array]:
    """The constants of the train op that differ from run to run, with their values."""
    given = [dict(run.request.optimizer or {}) for run in runs]
    name = given[0].get("name")
    keys = set().union(*given) - {"name"}
    if name is None:
        asking = {key: next(run for run, one in zip(runs, given, strict=True) if key in one) for key in keys}
        constants = {key: asking[key].asks(constant_of, training.optimizer, key) for key in sorted(keys)}
        _check_apart(training, set(constants.values()))
        defaults = {key: _number_of(constant) for key, constant in constants.items()}
    else:
        rule = rule_named(str(name), {key: value for key, value in given[0].items() if key != "name"})
        named = [key for key in rule.hyper_parameters if key in keys]
        defaults = {key: value for key in named if isinstance(value := getattr(rule, key), (int, float))}
    found: dict[Tensor, Array] = {}
    for key, default in defaults.items():
        tensor = training.optimizer.constants[key]
        column = _column(runs, key, [one.get(key, default) for one in given], tensor.dtype)
        if name is None or (column != column[0]).any():
            found[tensor] = column
    return found


def _column(runs: Sequence[RaceRun], key: str, values: Sequence[Any], dtype: str) -> Array:
    """A hyper-parameter of each run; plain numbers, the usual case, all at once."""
    if all(type(value) is float for value in values):
        return np.array(values, dtype)
    asked = zip(runs, values, strict=True)
    return np.array([run.asks(request_array, key, value, dtype) for run, value in asked])


def _check_apart(training: Training, constants: set[Tensor]) -> None:
    """Raises: Unbatchable where a hyper-parameter that differs is part of the target, which all share."""
    target = [training.loss, *(rows_of(gradient) for gradient, _ in training.raw if gradient is not None)]
    steps = make_plan([tensor.node for tensor in target]).steps
    if not constants.isdisjoint(node.outputs[0] for step in steps for node in nodes_of(step) if node.outputs):
        raise Unbatchable("a hyper-parameter is part of the target")


def _number_of(constant: Tensor) -> Any:
    """The value that a hyper-parameter has where a request leaves it out."""
    if constant.node.op.name != "Const":
        raise Unbatchable(f"{constant.name} is computed")
    return constant.node.attrs["value"]


def _kinds(runs: Sequence[RaceRun]) -> list[list[RaceRun]]:
    """The runs of each kind, by what they must have in common to share a train op.

    That is all but numbers that the graph holds. A rate is such a number, of whatever optimizer, so
    requests that differ in nothing else are looked at once, and of one after the other only the first.
    """
    seen: dict[str, str] = {}
    kinds: dict[str, list[RaceRun]] = {}
    kind, before = "", None
    for run in runs:
        asked = run.request
        settings = asked.optimizer or {}
        plain = asked.schedule is None and type(settings.get("learning_rate")) is float
        if plain:
            settings = {**settings, "learning_rate": float}
        numbers = (settings, [*map(type, settings.values())]) if plain and not asked.process else None
        if numbers is None or numbers != before:
            text, before = repr((settings, asked.schedule, asked.process)), numbers
            if text not in seen:
                seen[text] = run.asks(_kind, asked)
            kind = seen[text]
        kinds.setdefault(kind, []).append(run)
    return list(kinds.values())


def first_of_each_kind(runs: Sequence[RaceRun]) -> list[RaceRun]:
    """One run for each train op that a race needs."""
    return [alike[0] for alike in _kinds(runs)]


def _kind(run: RunRequest) -> str:
    settings = dict(run.optimizer or {})
    name = settings.pop("name", None)
    if name is None:
        return repr(("own", run.schedule, run.process))
    rule = rule_named(str(name), settings)
    free = {key for key in rule.hyper_parameters if isinstance(getattr(rule, key), (int, float))}
    free -= {"learning_rate"} if run.schedule is not None else set()
    fixed = {key: value for key, value in _fields(rule).items() if key not in free}
    structure = rule.takes, dict(rule.attributes), dict(rule.slots), dict(rule.init(np.zeros(())))
    return repr((name, fixed, structure, run.schedule, run.process))


def _fields(rule: Rule) -> dict[str, Any]:
    return {key: getattr(rule, key) for key in rule.__dataclass_fields__}  # type: ignore[attr-defined]  # a dataclass
