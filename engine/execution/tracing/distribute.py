"""Which numbers of a training's step wait for the step before, and which are there for all steps at once.

With Adam, the next place needs the gradient at this one: that is a loop. But the powers of the betas need
only themselves, the rate needs only the powers, and nothing needs the loss. The loop is distributed: such
numbers become whole columns, before it or after it, and only what waits is left inside.

Source: loop distribution (Kennedy & Allen, Optimizing Compilers for Modern Architectures, ch. 2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.text import COMPARISONS, OF_BOOLS
from engine.execution.tracing.tracer import Instruction, Tracer

RUNNING = frozenset({np.add, np.subtract, np.multiply})  # whose `accumulate` gives the same bits
EITHER_WAY = frozenset({np.add, np.multiply})  # whose operands may change places
EXACT = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.true_divide, np.square, np.sqrt),
        *(np.negative, np.absolute, np.sign, np.isfinite, np.isinf, np.isnan),
        *COMPARISONS,
        *OF_BOOLS,
    }
)
State = Sequence[tuple[Tracer, Any]]  # each variable before a step and after it


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What is computed together.

    A number computed in a step (`step` alone), a variable that takes a value from elsewhere (`before` and
    `after` alone), or one that a single ufunc takes from step to step (all three, with `rest` the other
    operand).
    """

    step: Instruction | None = None
    before: Tracer | None = None
    after: Any = None
    rest: Any = None

    @property
    def gives(self) -> Iterator[Tracer]:
        """The values that stand for it."""
        if self.before is not None:
            yield self.before
        if self.step is not None:
            yield self.step.outputs[0]

    @property
    def needs(self) -> Iterator[Tracer]:
        """The values of others that it takes."""
        taken = [self.after] if self.step is None else self.step.arguments
        own = {value.number for value in self.gives}
        return (item for item in taken if isinstance(item, Tracer) and item.number not in own)

    @property
    def is_fixed(self) -> bool:
        """Whether it is a variable that no step changes."""
        return self.before is not None and _is(self.after, self.before)


@dataclass(frozen=True, slots=True)
class Distributed:
    """The units of a step, in order: columns before the loop, the loop itself, columns after it."""

    first: list[Unit]
    loop: list[Unit]
    last: list[Unit]


def distribute(steps: Sequence[Instruction], state: State) -> Distributed:
    """Take off what no step waits for, from the front and from the back."""
    units = [*_variables(steps, state)]
    taken = {unit.step for unit in units}
    units += [Unit(step) for step in steps if step not in taken]
    homes = {value.number: unit for unit in units for value in unit.gives}
    needs = {unit: [homes[value.number] for value in unit.needs] for unit in units}
    first = _free(needs)
    loop = [unit for unit in units if unit not in set(first)]
    users: dict[Unit, list[Unit]] = {unit: [] for unit in loop}
    for unit in loop:
        for other in needs[unit]:
            if other in users:
                users[other].append(unit)
    last = _free(users)
    return Distributed(first, [unit for unit in loop if unit not in set(last)], last[::-1])


def _variables(steps: Sequence[Instruction], state: State) -> Iterator[Unit]:
    """A unit for each variable, with the step that takes it on where that is a single ufunc."""
    homes = {step.outputs[0].number: step for step in steps}
    taken = set[Instruction]()
    for before, after in state:
        step = homes.get(after.number) if isinstance(after, Tracer) else None
        rest = None if step is None or step in taken else _other_operand(step, before)
        if step is None or rest is None:
            yield Unit(None, before, after)
        else:
            taken.add(step)
            yield Unit(step, before, after, rest)


def is_exact(step: Instruction) -> bool:
    """Whether it gives the same bits for one number and for a column."""
    return step.kind != "ufunc" or step.function in EXACT


def _other_operand(step: Instruction, variable: Tracer) -> Any:
    """What a step combines a variable with, if it can run over a whole column; else None."""
    if step.kind != "ufunc" or step.function not in RUNNING or step.outputs[0].dtype != variable.dtype:
        return None
    x, y = step.arguments
    if _is(x, variable) and not _is(y, variable):
        return y
    if _is(y, variable) and not _is(x, variable) and step.function in EITHER_WAY:
        return x
    return None


def _is(item: Any, value: Tracer) -> bool:
    return isinstance(item, Tracer) and item.number == value.number


def _free(needs: Mapping[Unit, Sequence[Unit]]) -> list[Unit]:
    """The units that can be put in order, each after what it needs: all that no circle holds up."""
    users: dict[Unit, list[Unit]] = {unit: [] for unit in needs}
    for unit, needed in needs.items():
        for other in needed:
            users[other].append(unit)
    waits_for = {unit: len(needed) for unit, needed in needs.items()}
    order = [unit for unit, count in waits_for.items() if not count]
    for unit in order:  # which grows meanwhile
        for user in users[unit]:
            waits_for[user] -= 1
            if not waits_for[user]:
                order.append(user)
    return order


def rebalanced(parts: Distributed, fits: Callable[[Unit], bool]) -> Distributed:
    """The same with everything in the loop that fits there, as machine code would rather have it."""
    first, needed = list[Unit](), set[int]()
    loop = list(parts.loop)
    for unit in reversed(parts.first):
        if fits(unit) and needed.isdisjoint(value.number for value in unit.gives):
            loop.append(unit)
        else:
            first.append(unit)
            needed.update(value.number for value in unit.needs)
    last, outside = list[Unit](), set[int]()
    for unit in parts.last:
        if fits(unit) and outside.isdisjoint(value.number for value in unit.needs):
            loop.append(unit)
        else:
            last.append(unit)
            outside.update(value.number for value in unit.gives)
    return Distributed(first[::-1], loop, last)


def recomputed_or_recorded(
    loop: Sequence[Unit], wanted: Collection[int]
) -> tuple[set[int], list[Instruction]]:
    """How the wanted numbers of a loop become columns: recorded by it, or computed once more from such.

    A column is computed again only where that gives the very numbers that the loop went on with; so what
    comes from a function like sin is recorded.
    Returns: the numbers to record, and the steps to take again, in order.
    """
    recorded, again = set(wanted), list[Instruction]()
    for unit in reversed(loop):
        step = unit.step
        if step is None or step.outputs[0].number not in recorded:
            continue
        if is_exact(step):
            recorded.remove(step.outputs[0].number)
            recorded.update(item.number for item in step.arguments if isinstance(item, Tracer))
            again.append(step)
    return recorded, again[::-1]
