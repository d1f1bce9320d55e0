"""Who runs together: members whose optimizers differ in nothing but numbers share one train op."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.execution import Session
from engine.execution.batching import Group, Unbatchable
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan, written_by
from engine.graph import Node, Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.request_values import numbers_given
from engine.ops.base.tensors import Array
from engine.optimizers import Rule
from engine.optimizers.catalogue import rule_named
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.races.race_run import Member
from engine.programs.training.processing import Pairs
from engine.programs.training.training import Training, constant_of, rows_of, start_at, training_for

Initial = Mapping[Node, Array]
NUMBERED = re.compile(r"_\d+$")  # what a name has more where an earlier team has taken it


@dataclass(frozen=True, slots=True)
class Team:
    """Members with one train op.

    settings: the hyper-parameters in which they differ, a number for each.
    starts:   the variables that a member's request starts elsewhere.
    own:      the variables that this train op writes alone: slots, step counts.
    """

    members: tuple[Member, ...]
    training: Training
    settings: Mapping[Tensor, Array]
    starts: tuple[Initial, ...] = ()
    own: tuple[Node, ...] = ()

    def group(self, initial: Initial, shared: Sequence[Tensor]) -> Group:
        """The team as the loop takes it, its own variables at their start."""
        return Group(
            self.training.train_op,
            len(self.members),
            settings=self.settings,
            state={node: stacked(node, self.starts, initial) for node in self.own},
            fetches=[tensor for tensor in self.ready if tensor not in shared],
        )

    @property
    def ready(self) -> list[Tensor]:
        """The processed gradients."""
        return [rows_of(gradient) for gradient, _ in self.training.processed if gradient is not None]


def teams_of(outcome: Outcome, members: Sequence[Member]) -> list[Team]:
    """Build one train op for each kind of optimizer, all from the same gradients.

    Raises: GradlensError where a member's request does not fit the program; it names the member.
            Unbatchable where members have to be computed one by one.
    """
    teams: list[Team] = []
    raw: Pairs | None = None
    made: list[list[Variable]] = []
    for alike in _kinds(members):
        before = len(outcome.graph.collection(GLOBAL_VARIABLES))
        first = alike[0]
        training = first.asks(training_for, outcome, first.run, raw)
        made.append(outcome.graph.collection(GLOBAL_VARIABLES)[before:])
        if (first.run.optimizer or {}).get("name") is not None:
            raw = training.raw
        teams.append(Team(tuple(alike), training, _settings(training, alike)))
    return [
        _complete(team, own, [v for other in made if other is not own for v in other])
        for team, own in zip(teams, made, strict=True)
    ]


def stacked(node: Node, starts: Sequence[Initial], initial: Initial) -> Array:
    """A variable's start for each member (members, *S), or (1, *S) where none starts it elsewhere."""
    distinct = {id(start): start for start in starts}  # members that start alike have the same one
    if not any(node in start for start in distinct.values()):
        return initial[node][None]
    values = np.stack([start.get(node, initial[node]) for start in distinct.values()])
    place = {number: n for n, number in enumerate(distinct)}
    return np.asarray(values[[place[id(start)] for start in starts]])


def _complete(team: Team, made: Sequence[Variable], apart: Sequence[Variable]) -> Team:
    """With the members' starts, and with the variables that its train op has alone."""
    others = {variable.node.name for variable in apart}
    called = {v: NUMBERED.sub("", v.node.name) for v in made if NUMBERED.sub("", v.node.name) in others}
    training = replace(team.training, apart=frozenset(apart), called=called)
    trained = {variable.node for gradient, variable in training.raw if gradient is not None}
    plan = make_plan([training.train_op], frozenset(rows_of(g) for g, _ in training.raw if g is not None))
    written = {node for step in plan.steps if isinstance(step, Node) for node in written_by(step)}
    starts: list[Initial] = []
    before: RunRequest | None = None
    for member in team.members:
        run = member.run
        again = before is not None and (run.start, run.slots) == (before.start, before.slots)
        starts.append(starts[-1] if again else member.asks(_start, training, run))
        before = run
    own = tuple(sorted(written - trained, key=lambda node: node.index))
    return replace(team, training=training, starts=tuple(starts), own=own)


def _start(training: Training, run: RunRequest) -> Initial:
    if not run.start and not run.slots:
        return {}
    session = Session(training.loss.graph)
    start_at(training, session, run)
    return session.variables


def _settings(training: Training, members: Sequence[Member]) -> dict[Tensor, Array]:
    """The constants of the train op that hold other numbers for other members, with these numbers."""
    given = [dict(member.run.optimizer or {}) for member in members]
    name = given[0].get("name")
    keys = set().union(*given) - {"name"}
    if name is None:
        asking = {key: next(m for m, one in zip(members, given, strict=True) if key in one) for key in keys}
        constants = {key: asking[key].asks(constant_of, training.optimizer, key) for key in sorted(keys)}
        _check_apart(training, set(constants.values()))
        defaults = {key: _number_of(constant) for key, constant in constants.items()}
    else:
        rule = rule_named(str(name), {key: value for key, value in given[0].items() if key != "name"})
        told = [key for key in rule.hyper_parameters if key in keys]
        defaults = {key: value for key in told if isinstance(value := getattr(rule, key), (int, float))}
    found: dict[Tensor, Array] = {}
    for key, default in defaults.items():
        tensor = training.optimizer.constants[key]
        column = _column(members, key, [one.get(key, default) for one in given], tensor.dtype)
        if name is None or (column != column[0]).any():
            found[tensor] = column
    return found


def _column(members: Sequence[Member], key: str, values: Sequence[Any], dtype: str) -> Array:
    """A hyper-parameter of each member; plain numbers, the usual case, all at once."""
    if all(type(value) is float for value in values):
        return np.array(values, dtype)
    told = zip(members, values, strict=True)
    return np.array([member.asks(numbers_given, key, value, dtype) for member, value in told])


def _check_apart(training: Training, constants: set[Tensor]) -> None:
    """What members set otherwise may not be part of the target, which is computed for all at once."""
    target = [training.loss, *(rows_of(gradient) for gradient, _ in training.raw if gradient is not None)]
    steps = make_plan([tensor.node for tensor in target]).steps
    if not constants.isdisjoint(node.outputs[0] for step in steps for node in nodes_of(step) if node.outputs):
        raise Unbatchable("a hyper-parameter is part of the target")


def _number_of(constant: Tensor) -> Any:
    """What a hyper-parameter of the program's own optimizer is where a request leaves it out."""
    if constant.node.op.name != "Const":
        raise Unbatchable(f"{constant.name} is computed")
    return constant.node.attrs["value"]


def _kinds(members: Sequence[Member]) -> list[list[Member]]:
    """The members of each kind, by what they must have in common to share a train op.

    That is all but numbers that the graph holds. A rate is such a number, of whatever optimizer, so
    requests that differ in nothing else are looked at once, and one after the other not even told apart.
    """
    seen: dict[str, str] = {}
    kinds: dict[str, list[Member]] = {}
    kind, before = "", None
    for member in members:
        run = member.run
        settings = run.optimizer or {}
        plain = run.schedule is None and type(settings.get("learning_rate")) is float
        if plain:
            settings = {**settings, "learning_rate": float}
        numbers = (settings, [*map(type, settings.values())]) if plain and not run.process else None
        if numbers is None or numbers != before:
            told, before = repr((settings, run.schedule, run.process)), numbers
            if told not in seen:
                seen[told] = member.asks(_kind, run)
            kind = seen[told]
        kinds.setdefault(kind, []).append(member)
    return list(kinds.values())


def first_of_each_kind(members: Sequence[Member]) -> list[Member]:
    """One member for each train op that a race needs."""
    return [alike[0] for alike in _kinds(members)]


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
