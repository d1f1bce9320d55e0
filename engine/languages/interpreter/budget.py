"""Counts what a run uses up, before it does; nothing that a program writes catches the end at a limit."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf, log10, prod
from typing import Any

from engine.errors import LimitError
from engine.execution.budget import Limits

STEPS_BETWEEN_CLOCK_READINGS = 4096
ITEMS_BETWEEN_CLOCK_READINGS = 256  # where one item may be as much work as a call
OPERATIONS_WORTH_A_LOOK = 10_000  # at once
NODES_IN_A_STEP = 8  # of a graph: one of them costs about an eighth of an interpreted step
SECONDS_BETWEEN_COLLECTIONS = 0.25  # of garbage, at the least
MOST_FOR_COLLECTIONS = 0.05  # of a program's time
PAUSES = 5  # how many times as long as a program may run its pauses may be, in all
SMALL_ARRAY = 256  # elements; those of a smaller array are not counted
MOST_AXES = 64  # of an array, as in numpy


class AliveElements:
    """How many elements of arrays are alive.

    An object of its own, since the garbage collector's registry of finalizers holds it as long as any of the
    arrays is alive: it refers to nothing that could in turn hold an array.
    """

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def add(self, array: Any) -> None:
        """Count an array's elements until it is freed."""
        self.count += array.size
        weakref.finalize(array, self._subtract, array.size).atexit = False

    def _subtract(self, elements: int) -> None:
        self.count -= elements


class Budget:
    """The counters of one run against the operator's limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = 0
        self.printed_bytes = 0
        self.operations = 0
        self.alive = AliveElements()  # of the arrays that the program holds
        self.weigh_held: Callable[[], int] = lambda: 0  # items of the lists that it holds, asked now and then
        self._listed = 0
        self.next_look = min(STEPS_BETWEEN_CLOCK_READINGS, limits.steps)
        self._begun = time.monotonic()
        self._deadline = self._begun + limits.wall_s
        self._last_deadline = self._deadline + PAUSES * limits.wall_s
        self._report: Callable[[float], None] | None = None
        self._every_s = inf
        self._next_report = inf
        self._next_collection = self._begun + SECONDS_BETWEEN_COLLECTIONS
        self._next_event = self._begun  # the next report or collection, or the deadline
        self._set_next_event()

    def step(self) -> None:
        """Count one interpreted step; every few thousand, look at the clock."""
        self.steps += 1
        if self.steps > self.next_look:
            self.look()

    @property
    def counts(self) -> tuple[int, int, int]:
        """The steps, the element operations, and the items that were listed since they were weighed."""
        return self.steps, self.operations, self._listed

    def takes(self, steps: int, operations: int, listed: int) -> bool:
        """Count so many of each at once, where no limit comes in between, and nothing is due by the clock."""
        limits = self.limits
        if (
            self.steps + steps > self.next_look
            or self.operations + operations > limits.element_operations
            or self._listed + listed > limits.alive_items
            or (operations > OPERATIONS_WORTH_A_LOOK and time.monotonic() > self._next_event)
        ):
            return False
        self.steps += steps
        self.operations += operations
        self._listed += listed
        return True

    def run(self, nodes: int) -> None:
        """Count one run of a session: a step, and one more for every few nodes that ran."""
        self.steps += 1 + nodes // NODES_IN_A_STEP
        if self.steps > self.next_look:
            self.look()

    def look(self) -> None:
        """Look at the clock, and at the number of steps."""
        if self.steps > self.limits.steps:
            self.steps = self.limits.steps
            raise over_limit(
                "step",
                f"The program was stopped after {self.limits.steps:,} steps; a loop may never end.",
                f"程序在 {self.limits.steps:,} 步后被停止；可能有循环不会结束。",
                "Check the loop's condition, or run it fewer times.",
                "请检查循环条件，或减少循环次数。",
            )
        self.check_clock()
        self.next_look = min(self.steps + STEPS_BETWEEN_CLOCK_READINGS, self.limits.steps)

    def report_to(self, report: Callable[[float], None], first_s: float, every_s: float) -> None:
        """Call `report` with the seconds so far, first after some time and then ever so often."""
        self._report, self._every_s = report, every_s
        self._next_report = self._begun + first_s
        self._set_next_event()

    def check_clock(self) -> None:
        """Stop a program that has run for longer than it may."""
        now = time.monotonic()
        if now > self._next_event:
            self._attend(now)

    def _attend(self, now: float) -> None:
        """Report, let go of what nothing reaches, or stop the program."""
        if now > self._deadline:
            raise over_limit(
                "wall_time",
                f"The program was stopped after {self.limits.wall_s:g} seconds.",
                f"程序运行 {self.limits.wall_s:g} 秒后被停止。",
                "Run fewer steps or use smaller arrays; or is there a loop that never ends?",
                "请减少步数或使用更小的数组；也可能有循环不会结束。",
            )
        if self._report is not None and now > self._next_report:
            self._next_report = now + self._every_s
            self._report(now - self._begun)
        if now > self._next_collection:
            self._collect(now)
        self._set_next_event()

    def _collect(self, now: float) -> None:
        """Let go of what only reaches itself, such as the graph of a backward pass with its large arrays."""
        if gc.isenabled():
            gc.collect()
        ended = time.monotonic()
        self._next_collection = ended + max(SECONDS_BETWEEN_COLLECTIONS, (ended - now) / MOST_FOR_COLLECTIONS)

    def _set_next_event(self) -> None:
        self._next_event = min(self._next_report, self._next_collection, self._deadline)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Time that is not the program's own: that of writing rows out, and of their reader."""
        since = time.monotonic()
        yield
        self._deadline = min(self._deadline + time.monotonic() - since, self._last_deadline)
        self._set_next_event()

    def check_length(self, length: int, what: str = "sequence", what_zh: str = "序列") -> None:
        """A list, text or range may not grow longer than the limit."""
        if length > self.limits.sequence_length:
            raise over_limit(
                "sequence",
                f"This {what} would have {shown(length)} items; the limit is "
                f"{self.limits.sequence_length:,}.",
                f"这个{what_zh}会有 {shown(length)} 项；上限是 {self.limits.sequence_length:,}。",
            )
        self.spend(length)
        self._listed += length
        if self._listed > self.limits.alive_items:
            self._listed = self.weigh_held() + length
            self.check_items(self._listed)

    def hold(self, array: Any) -> None:
        """Count an array's elements while it is there; a view of another array has none of its own."""
        if array.size > SMALL_ARRAY and array.base is None:
            self.alive.add(array)
            self._check_held(self.alive.count, self.limits.alive_elements)

    def check_items(self, items: int) -> None:
        """So many items of lists are held at a time."""
        self._check_held(items, self.limits.alive_items)

    def _check_held(self, elements: int, limit: int) -> None:
        if elements > limit:
            raise over_limit(
                "alive",
                f"The program holds {shown(elements)} elements at a time; the limit is {limit:,}.",
                f"程序同时持有 {shown(elements)} 个元素；上限是 {limit:,}。",
                "Keep fewer or smaller arrays and lists.",
                "请减少同时保留的数组和列表，或使用更小的。",
            )

    def check_range(self, bound: int) -> None:
        """A range may not reach farther than a sequence can be counted."""
        if abs(bound) >= 2**62:  # beyond, Python cannot say how long it is
            self.check_length(abs(bound))

    def check_bits(self, bits: int) -> None:
        """An integer may not grow wider than the limit."""
        if bits > self.limits.integer_bits:
            raise over_limit(
                "integer_bits",
                f"This integer would have about {shown(bits)} bits; the limit is "
                f"{self.limits.integer_bits:,}.",
                f"这个整数约有 {shown(bits)} 位（二进制）；上限是 {self.limits.integer_bits:,}。",
                "Use floats: 9.0 ** 9.0.",
                "请使用浮点数：9.0 ** 9.0。",
            )

    def check_elements(self, shape: Sequence[int]) -> None:
        """An array may not hold more elements than the limit; making it counts as that many operations."""
        if len(shape) > MOST_AXES:
            self._check_axes(len(shape))
        elements = prod(shape)
        if elements == 0:  # what is computed of it, such as a sum, may have the other lengths
            elements = prod(max(length, 1) for length in shape)
        if elements > self.limits.tensor_elements:
            written = _written(shape)
            raise over_limit(
                "tensor",
                f"An array of shape {written} would have {shown(elements)} elements; the limit is "
                f"{self.limits.tensor_elements:,}.",
                f"形状为 {written} 的数组会有 {shown(elements)} 个元素；"
                f"上限是 {self.limits.tensor_elements:,}。",
            )
        self.spend(elements)

    def _check_axes(self, axes: int) -> None:
        raise over_limit(
            "tensor",
            f"An array of {axes:,} axes is too deep; it may have {MOST_AXES}.",
            f"数组不能有 {axes:,} 个轴；最多 {MOST_AXES} 个。",
        )

    def check_cells(self, cells: int) -> None:
        """Rows of a table are about to be made, of so many items in all."""
        self.check_items(cells)
        self.spend(cells)

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The same items, each of them a step."""
        for item in items:
            self.step()
            yield item

    def paced(self, items: Iterable[Any]) -> Iterator[Any]:
        """The same items, with a look at the clock before every few of them."""
        for place, item in enumerate(items):
            if place % ITEMS_BETWEEN_CLOCK_READINGS == 0:
                self.check_clock()
            yield item

    def check_time_for(self, items: int) -> None:
        """So many items are about to be looked at: where they are many, look at the clock first."""
        if items > OPERATIONS_WORTH_A_LOOK:
            self.check_clock()

    def check_print(self, characters: int) -> None:
        """So many characters more are about to be written into one text to be printed."""
        if self.printed_bytes + characters > self.limits.printed_bytes:
            raise _too_much_printed(self.limits.printed_bytes)

    def spend(self, operations: int) -> None:
        """Count element operations before they are done."""
        if operations > self.limits.call_operations:
            raise _too_much_at_once(operations, self.limits.call_operations)
        self.operations += operations
        if self.operations > self.limits.element_operations:
            raise over_limit(
                "operation",
                f"The program needs more than {self.limits.element_operations:,} element operations.",
                f"程序需要的元素运算超过 {self.limits.element_operations:,} 次。",
                "Run fewer steps or use smaller arrays.",
                "请减少步数或使用更小的数组。",
            )
        if operations > OPERATIONS_WORTH_A_LOOK:
            self.check_clock()

    def spends(self, operations: int) -> bool:
        """Count element operations before they are done; whether so many are within the budget."""
        total = self.operations + operations
        if total > self.limits.element_operations:
            return False
        self.operations = total
        if operations > OPERATIONS_WORTH_A_LOOK:
            self.check_clock()
        return True

    def check_width(self, width: int) -> None:
        """A width or precision in a format may not exceed the limit."""
        if width > self.limits.format_width:
            raise over_limit(
                "format_width",
                f"A format may be at most {self.limits.format_width} characters wide, not {shown(width)}.",
                f"格式宽度最多 {self.limits.format_width} 个字符，不能是 {shown(width)}。",
            )

    def spend_print(self, text: str) -> None:
        """Count printed text before it is kept."""
        self.printed_bytes += len(text.encode(errors="replace"))
        if self.printed_bytes > self.limits.printed_bytes:
            raise _too_much_printed(self.limits.printed_bytes)


def over_limit(budget: str, message: str, message_zh: str, hint: str = "", hint_zh: str = "") -> LimitError:
    """The error that names a budget and its figure."""
    return LimitError(message, message_zh=message_zh, hint=hint, hint_zh=hint_zh, code=f"{budget}_limit")


def _too_much_printed(limit: int) -> LimitError:
    return over_limit(
        "print",
        f"The program printed more than {limit:,} bytes.",
        f"程序打印的内容超过 {limit:,} 字节。",
        "Print less often, for example every tenth step.",
        "请减少打印次数，例如每十步打印一次。",
    )


def _too_much_at_once(operations: int, limit: int) -> LimitError:
    return over_limit(
        "operation",
        f"This needs {shown(operations)} element operations at once; the limit is {limit:,}.",
        f"这一步需要 {shown(operations)} 次元素运算；一次的上限是 {limit:,}。",
        "Use smaller arrays or batches, or shorter texts.",
        "请使用更小的数组或批次，或更短的文本。",
    )


def shown(number: int) -> str:
    """A count for a message; a very long one by its power of ten."""
    if number < 10**12:
        return f"{number:,}"
    return (
        f"10^{len(str(number)) - 1}" if number < 10**4000 else f"10^{int(number.bit_length() * log10(2)):,}"
    )


def _written(shape: Sequence[int]) -> str:
    """A shape for a message, long lengths by their power of ten."""
    lengths = [str(n) if n < 10**18 else shown(n) for n in shape]
    return f"({lengths[0]},)" if len(lengths) == 1 else f"({', '.join(lengths)})"
