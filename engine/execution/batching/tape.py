"""A tape: numpy calls recorded once, for two members, then bound to memory for as many as there are.

A bound tape makes the same calls on the same arrays each time that it is replayed: nothing is allocated
and no graph is walked. What depends on nothing that changes is computed once, while binding; what nobody
asks for is left out; memory is used again when its value is of no more use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.batching.many import Many, Unbatchable, root_of
from engine.ops.base.tensors import Array

Leaves = Mapping[Many, Array]
NONE: Leaves = MappingProxyType({})
NO_MOVES: Mapping[Many, Any] = MappingProxyType({})
MEMBERS_RECORDED = 2  # enough to tell a batch axis from one that all members share
OUT_BY_NAME = frozenset({np.maximum, np.minimum})  # numpy will not have their result's place without a name
SIDE_BY_SIDE = "side by side"  # the key of a call that joins values along the first batch axis
SMALL = 16  # elements; constants up to here are the same where their numbers are


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call: its function, what it takes, and the value that it makes.

    key:  what tells the function from others.
    into: the same function with a last argument more, which it fills; None where there is none such.
    rows: the length of the result's first batch axis, where it is not that of the operands.
    """

    function: Callable[..., Any]
    key: Any
    into: Callable[..., Any] | None
    operands: tuple[Any, ...]
    result: Many
    elementwise: bool
    rows: int | None


class Tape:
    """The calls so far. `axes` batch axes stand in front of every member's own."""

    def __init__(self, axes: int = 1) -> None:
        self.axes = axes
        self.calls: list[Call] = []
        self.leaves: dict[Many, Array] = {}
        self.rows: dict[int, tuple[Many, int]] = {}  # of a value by its number: which row of which
        self._known: dict[Any, Many] = {}

    # -- what is given -----------------------------------------------------------------------------

    def changing(self, array: Array) -> Many:
        """A value that whoever holds the array fills anew before each replay."""
        return self._leaf(array, changing=True)

    def fixed(self, array: Array) -> Many:
        """A value of each member that stays as it is."""
        return self._leaf(array, changing=False)

    def _leaf(self, array: Array, changing: bool) -> Many:
        leaf = Many(self, array[(slice(MEMBERS_RECORDED),) * self.axes], changing=changing)
        self.leaves[leaf] = array
        return leaf

    # -- what is computed --------------------------------------------------------------------------

    def compute(self, ufunc: np.ufunc, operands: Sequence[Any]) -> Many:
        """The result of a ufunc."""
        return self.call(ufunc, *operands, into=ufunc, elementwise=ufunc.signature is None)

    def call(
        self,
        function: Callable[..., Any],
        *operands: Any,
        into: Callable[..., Any] | None = None,
        elementwise: bool = False,
        key: Any = None,
        made: Any = None,
        rows: int | None = None,
    ) -> Many:
        """The result of a function of arrays, all members' at once; the same call is made once.

        key:  what tells the function from others, where it is not the function itself.
        made: its result for the members recorded, where calling it just for that would do harm.
        """
        key = key or function
        same = (key, *map(identity_of, operands))
        if same in self._known:
            return self._known[same]
        if made is None:
            made = np.asarray(function(*map(_numbers, operands)))
        changing = not operands or any(one.changing for one in operands if _many(one))
        result = self._known[same] = Many(self, made, changing=changing, made=True)
        self.calls.append(Call(function, key, into, operands, result, elementwise, rows))
        return result

    def view(self, of: Many, look: Callable[[Array], Array], key: Any = None) -> Many:
        """Another look at the memory of a value."""
        same = (key or look, of.number)
        if same not in self._known:
            self._known[same] = Many(self, look(of.data), changing=of.changing, source=(of, look))
        return self._known[same]

    def row(self, of: Many, place: int) -> Many:
        """One of the values that lie together along the first batch axis; what they share is everyone's."""
        same = ("row", place, of.number)
        if same not in self._known:
            source = of, lambda data: data[place : place + 1] if len(data) > 1 else data
            row = self._known[same] = Many(self, of.data[:1], changing=of.changing, source=source)
            self.rows[row.number] = of, place
        return self._known[same]

    def undo(self, length: int) -> None:
        """Forget the calls after the first `length` ones."""
        del self.calls[length:]
        self._known.clear()

    def bind(self, wanted: Iterable[Many], leaves: Leaves = NONE, **options: Any) -> Bound:
        """Memory for all that the wanted values need; `leaves` may replace what was given while recording.

        The options are those of Bound. Raises: Unbatchable beyond a limit.
        """
        return Bound(self.calls, list(wanted), {**self.leaves, **leaves}, **options)


class Bound:
    """Recorded calls with their memory, for the members that the leaves hold.

    moves:    for a leaf the value that its array shall hold after each replay.
    homes:    where to put a value.
    limit:    how many numbers may be kept at once.
    calls:    what a replay does, one after the other.
    steps:    what of the recording a replay computes.
    elements: how many numbers one replay computes.
    """

    def __init__(
        self,
        calls: Sequence[Call],
        wanted: Sequence[Many],
        leaves: Leaves,
        *,
        moves: Mapping[Many, Any] = NO_MOVES,
        homes: Sequence[tuple[Many, Array]] = (),
        limit: int | None = None,
    ) -> None:
        self.calls: list[Callable[[], Any]] = []
        self.elements = 0
        self._room, self._limit = 0, limit
        self._places: dict[Many, int] = {}  # which call makes a value
        self._arrays: dict[Many, Array] = dict(leaves)
        self._free: dict[Any, list[Array]] = {}
        asked = [*wanted, *moves.values(), *(value for value, _ in homes)]
        needed = _needed(calls, asked)
        self.steps = [call for call in needed if call.result.changing]
        last = {root: place for place, call in enumerate(needed) for root in _roots(call.operands)}
        self._homes = {value: array for value, array in homes if value.made}
        self._homes |= self._written_over(needed, moves, last)
        ends = {call.result for call in needed if call.elementwise} - last.keys()
        last |= {root: len(needed) for root in _roots(asked)}
        for place, call in enumerate(needed):
            if call.result.changing:
                self._add(call, place, last)
            else:
                self._arrays[call.result] = np.asarray(call.function(*map(self.array, call.operands)))
        self._ends = {value: place for value, place in self._places.items() if value in ends}
        self._free.clear()
        self._put(homes)
        self._put([(new, self._arrays[leaf]) for leaf, new in moves.items()])

    def _written_over(
        self, needed: Sequence[Call], moves: Mapping[Many, Any], last: Mapping[Many, int]
    ) -> dict[Many, Array]:
        """The new values that are computed right into their leaf, since nothing reads the old one later."""
        made = {call.result: place for place, call in enumerate(needed)}
        found: dict[Many, Array] = {}
        for leaf, new in moves.items():
            place = made.get(new) if _many(new) else None
            if place is None or new in found or new in self._homes or not needed[place].elementwise:
                continue
            array, call = self._arrays[leaf], needed[place]
            over = [
                one for one in last if one in self._arrays and np.may_share_memory(self._arrays[one], array)
            ]
            read = max((last[one] for one in over), default=-1)
            if read < place or (
                read == place and all(one is leaf for one in over) and self._in_place(leaf, call)
            ):
                found[new] = self._arrays[leaf]
        return found

    def _put(self, places: Iterable[tuple[Any, Array]]) -> None:
        """Copy the values that were not computed in their places."""
        for value, array in places:
            own = self.array(value)
            if own is not array:
                self.calls.append(partial(np.copyto, array, own))

    def __getitem__(self, value: Many) -> Array:
        return self.array(value)  # type: ignore[no-any-return]

    def array(self, value: Any) -> Any:
        """The memory of a value, all members' together; anything else is itself."""
        if not isinstance(value, Many):
            return value
        if value not in self._arrays and value.source is not None:
            of, look = value.source
            self._arrays[value] = look(self.array(of))
        return self._arrays[value]

    def send(self, value: Many, array: Array) -> bool:
        """Have a value computed right into another array from now on; whether that is possible.

        It is where the value fills all of the array and nothing else reads it.
        """
        place = self._ends.get(value)
        own = self._arrays.get(value)
        if place is None or own is None or own.shape != array.shape or own.dtype != array.dtype:
            return False
        call = self.calls[place]
        self.calls[place] = partial(call.func, *call.args[:-1], array)  # type: ignore[attr-defined]  # a partial
        self._arrays[value] = array
        return True

    def replay(self) -> None:
        """Compute everything anew."""
        for call in self.calls:
            call()

    def _add(self, call: Call, place: int, last: Mapping[Many, int]) -> None:
        """Bind one call: its operands' arrays, and memory for its result."""
        arrays = [self.array(one) for one in call.operands]
        shape = (*_batch(arrays, call), *call.result.shape)
        dying = [root for root in set(_roots(call.operands)) if last[root] == place and root.source is None]
        over = {root for root in dying if call.elementwise and self._in_place(root, call)}
        self._release(over)
        home = self._homes.get(call.result)
        fits = home is not None and home.shape == shape
        result = home if home is not None and fits else self._memory(shape, call.result.dtype)
        self._release({*dying} - over)
        self._arrays[call.result] = result
        self._places[call.result] = len(self.calls)
        self.elements += result.size
        if call.elementwise:  # numpy is quickest with one number if it has no axes
            *arrays, result = (one.reshape(()) if one.size == 1 else one for one in (*arrays, result))
        if call.into is None:
            self.calls.append(partial(_fill, result, call.function, arrays))
        elif call.into in OUT_BY_NAME:
            self.calls.append(partial(_by_name, call.into, *arrays, result))
        else:
            self.calls.append(partial(call.into, *arrays, result))

    def _in_place(self, root: Many, call: Call) -> bool:
        """Whether a result may be written over an operand: each number is read where it is written."""
        own = self._arrays[root]
        looks = [self.array(one) for one in call.operands if _many(one) and root_of(one) is root]
        return all(look.shape == own.shape and look.strides == own.strides for look in looks)

    def _memory(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        free = self._free.get((shape, dtype))
        if free:
            return free.pop()
        self._room += prod(shape)
        if self._limit is not None and self._room > self._limit:
            raise Unbatchable("more numbers at once than there is room for")
        return np.empty(shape, dtype)

    def _release(self, roots: Iterable[Many]) -> None:
        for root in roots:
            if root.made and root.changing and root not in self._homes:
                array = self._arrays[root]
                self._free.setdefault((array.shape, array.dtype), []).append(array)


def _needed(calls: Sequence[Call], wanted: Sequence[Many]) -> list[Call]:
    """The calls that the wanted values depend on, in order."""
    asked = set(_roots(wanted))
    found = []
    for call in reversed(calls):
        if call.result in asked:
            found.append(call)
            asked.update(_roots(call.operands))
    return found[::-1]


def _roots(values: Iterable[Any]) -> Iterator[Many]:
    """The values whose memory these are, or are looks at."""
    return (root_of(value) for value in values if _many(value))


def _batch(arrays: Sequence[Any], call: Call) -> tuple[int, ...]:
    """The batch axes of a result: those of its operands, stretched to each other."""
    axes = call.result.tape.axes
    batches = [array.shape[:axes] for array, one in zip(arrays, call.operands, strict=True) if _many(one)]
    batch = np.broadcast_shapes((1,) * axes, *batches)
    return batch if call.rows is None else (call.rows, *batch[1:])


def _fill(result: Array, function: Callable[..., Any], arrays: Sequence[Any]) -> None:
    np.copyto(result, function(*arrays))


def _by_name(ufunc: np.ufunc, *arrays: Array) -> None:
    ufunc(*arrays[:-1], out=arrays[-1])


def _many(value: Any) -> bool:
    return isinstance(value, Many)


def _numbers(operand: Any) -> Any:
    return operand.data if isinstance(operand, Many) else operand


def identity_of(operand: Any) -> Any:
    """What makes an operand the same one: the value itself, or a small array's numbers."""
    if isinstance(operand, Many):
        return operand.number
    array = np.asarray(operand)
    return (array.dtype, array.shape, array.tobytes()) if array.size <= SMALL else id(operand)
