"""Who runs together: members whose optimizers differ in nothing but numbers share one train op."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from engine.errors import GradlensError
from engine.execution import Session
from engine.execution.batching import Group, Unbatchable
from engine.execution.plan import make_plan, written_by
from engine.graph import Node, Tensor, Variable
from engine.graph.variables import GLOBAL_VARIABLES
from engine.ops.tensors import Array
from engine.optimizers import Rule
from engine.optimizers.catalogue import rule_named
from engine.programs.given import numbers_given
from engine.programs.outcome import Outcome
from engine.programs.processing import Pairs
from engine.programs.request import RunRequest
from engine.programs.training import Training, constant_of, rows_of, start_at, training_for

T = TypeVar("T")
Initial = Mapping[Node, Array]
NUMBERED = re.compile(r"_\d+$")  # what a name has more where an earlier team has taken it


@dataclass(frozen=True, slots=True)
class Team:
    """Members with one train op.

    places:   where each stands in the request.
    settings: the hyper-parameters in which they differ, a number for each.
    starts:   the variables that a member's request starts elsewhere.
    own:      the variables that this train op writes alone: slots, step counts.
    """

    runs: tuple[RunRequest, ...]
    places: tuple[int, ...]
    training: Training
    settings: Mapping[Tensor, Array]
    starts: tuple[Initial, ...] = ()
    own: tuple[Node, ...] = ()

    def group(self, initial: Initial, shared: Sequence[Tensor]) -> Group:
        """The team as the loop takes it, its own variables at their start."""
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


def teams_of(
    outcome: Outcome, runs: Sequence[RunRequest], numbered: Sequence[int] | None = None
) -> list[Team]:
    """Build one train op for each kind of optimizer, all from the same gradients.

    numbered: the number of each run, from 0, where these are some of a race's.
    Raises: GradlensError where a member's request does not fit the program; it names the member.
    """
    numbered = range(len(runs)) if numbered is None else numbered
    kinds = _kinds(runs, numbered)
    teams: list[Team] = []
    raw: Pairs | None = None
    made: list[list[Variable]] = []
    for places in kinds.values():
        before = len(outcome.graph.collection(GLOBAL_VARIABLES))
        first = runs[places[0]]
        training = _told(numbered[places[0]], training_for, outcome, first, raw)
        made.append(outcome.graph.collection(GLOBAL_VARIABLES)[before:])
        if (first.optimizer or {}).get("name") is not None:
            raw = training.raw
        members = tuple(runs[place] for place in places)
        settings = _settings(training, members, [numbered[place] for place in places])
        teams.append(Team(members, tuple(places), training, settings))
    return [
        _complete(team, own, [v for other in made if other is not own for v in other], numbered)
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


def _complete(
    team: Team, made: Sequence[Variable], apart: Sequence[Variable], numbered: Sequence[int]
) -> Team:
    """With the members' starts, and with the variables that its train op has alone."""
    others = {variable.node.name for variable in apart}
    called = {v: NUMBERED.sub("", v.node.name) for v in made if NUMBERED.sub("", v.node.name) in others}
    training = replace(team.training, apart=frozenset(apart), called=called)
    trained = {variable.node for gradient, variable in training.raw if gradient is not None}
    plan = make_plan([training.train_op], frozenset(rows_of(g) for g, _ in training.raw if g is not None))
    written = {node for step in plan.steps if isinstance(step, Node) for node in written_by(step)}
    starts: list[Initial] = []
    for place, run, before in zip(team.places, team.runs, (None, *team.runs), strict=False):
        again = before is not None and (run.start, run.slots) == (before.start, before.slots)
        starts.append(starts[-1] if again else _told(numbered[place], _start, training, run))
    own = tuple(sorted(written - trained, key=lambda node: node.index))
    return replace(team, training=training, starts=tuple(starts), own=own)


def _start(training: Training, run: RunRequest) -> Initial:
    if not run.start and not run.slots:
        return {}
    session = Session(training.loss.graph)
    start_at(training, session, run)
    return session.variables


def _settings(training: Training, runs: Sequence[RunRequest], numbered: Sequence[int]) -> dict[Tensor, Array]:
    """The constants of the train op that hold other numbers for other members, with these numbers."""
    given = [dict(run.optimizer or {}) for run in runs]
    name = given[0].get("name")
    keys = set().union(*given) - {"name"}
    if name is None:
        asks = {key: next(n for n, one in zip(numbered, given, strict=True) if key in one) for key in keys}
        constants = {key: _told(asks[key], constant_of, training.optimizer, key) for key in sorted(keys)}
        defaults = {key: _number_of(constant) for key, constant in constants.items()}
    else:
        rule = rule_named(str(name), {key: value for key, value in given[0].items() if key != "name"})
        told = [key for key in rule.hyper_parameters if key in keys]
        defaults = {key: value for key in told if isinstance(value := getattr(rule, key), (int, float))}
    found: dict[Tensor, Array] = {}
    for key, default in defaults.items():
        tensor = training.optimizer.constants[key]
        column = _column(key, [one.get(key, default) for one in given], tensor.dtype, numbered)
        if name is None or (column != column[0]).any():
            found[tensor] = column
    return found


def _column(key: str, values: Sequence[Any], dtype: str, numbered: Sequence[int]) -> Array:
    """A hyper-parameter of each member; plain numbers, the usual case, all at once."""
    if all(type(value) is float for value in values):
        return np.array(values, dtype)
    told = zip(numbered, values, strict=True)
    return np.array([_told(number, numbers_given, key, value, dtype) for number, value in told])


def _number_of(constant: Tensor) -> Any:
    """What a hyper-parameter of the program's own optimizer is where a request leaves it out."""
    if constant.node.op.name != "Const":
        raise Unbatchable(f"{constant.name} is computed")
    return constant.node.attrs["value"]


def _kinds(runs: Sequence[RunRequest], numbered: Sequence[int]) -> dict[str, list[int]]:
    """The members of each kind, by what they must have in common to share a train op.

    That is all but numbers that the graph holds. A rate is such a number, of whatever optimizer, so
    requests that differ in nothing else are looked at once, and one after the other not even told apart.
    """
    seen: dict[str, str] = {}
    kinds: dict[str, list[int]] = {}
    kind, before = "", None
    for place, run in enumerate(runs):
        settings = run.optimizer or {}
        plain = run.schedule is None and type(settings.get("learning_rate")) is float
        if plain:
            settings = {**settings, "learning_rate": float}
        numbers = (settings, [*map(type, settings.values())]) if plain and not run.process else None
        if numbers is None or numbers != before:
            told, before = repr((settings, run.schedule, run.process)), numbers
            if told not in seen:
                seen[told] = _told(numbered[place], _kind, run)
            kind = seen[told]
        kinds.setdefault(kind, []).append(place)
    return kinds


def first_of_each_kind(runs: Sequence[RunRequest]) -> list[int]:
    """The place of one member for each train op that a race needs."""
    return [places[0] for places in _kinds(runs, range(len(runs))).values()]


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


def _told(place: int, make: Callable[..., T], *arguments: Any) -> T:
    """What `make` gives; a mistake names the member."""
    try:
        return make(*arguments)
    except GradlensError as error:
        error.message = f"Run {place + 1}: {error.message}"
        error.message_zh = f"第 {place + 1} 次运行：{error.message_zh}"
        error.args = (error.message,)
        raise
