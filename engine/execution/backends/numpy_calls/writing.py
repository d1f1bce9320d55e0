"""The function as a whole: a program (arguments in, fetches out) or a training loop.

What is compiled holds generated names only; the names of the graph's nodes stand in the text that is
shown, one beside each line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.errors import GradlensError
from engine.execution.backends.numpy_calls.scratch import Scratch
from engine.execution.backends.numpy_calls.text import NAMES, Texts
from engine.execution.tracing.memory import Buffers, assign_buffers, sources
from engine.execution.tracing.tracer import FLOAT64, Instruction, Lengths, Tracer, needed
from engine.execution.tracing.walk import Lowered

DOMAIN_ERRORS = (ArithmeticError, GradlensError, IndexError, TypeError, ValueError)
INDENT = "    "
LONGEST = 60  # characters of a number that gets no line of its own
WORD = re.compile(r"[a-z]\w*")


@dataclass(slots=True)
class Written:
    """A function's text, and what it is to be given.

    code:      the text that is compiled: this one function.
    names:     what its names stand for, for `function_of`.
    head:      its first line, and lines: the others, with the names of nodes.
    constants: those that occur in them.
    arrays:    the arrays that a loop computes in, with the shapes of their parts where they have any; they
               come last, each before its parts.
    """

    code: str
    names: dict[str, Any]
    head: str
    lines: Sequence[Line]
    constants: Mapping[str, Any]
    arrays: tuple[tuple[Lengths, np.dtype[Any], tuple[Lengths, ...] | None], ...] = ()

    @property
    def shown(self) -> str:
        """The text with the names of nodes and the constants, for people."""
        constants = [f"{name} = {_described(value)}" for name, value in self.constants.items()]
        body = [line.shown for line in self.lines]
        return "\n".join([*constants, *([""] if constants else []), self.head, *body]) + "\n"


@dataclass(slots=True)
class Line:
    """One line of a function, and what it computes."""

    text: str
    about: str = ""
    depth: int = 1

    @property
    def written(self) -> str:
        """As it is compiled."""
        return INDENT * self.depth + self.text

    @property
    def shown(self) -> str:
        """As people read it: with what it is about."""
        return self.written + (f"  # {self.about}" if self.about else "")


class Writer:
    """Writes the instructions that the results need, one line each.

    letter:  for the names of the arguments.
    inlines: which numbers that are needed once get no line: those that the next part of their own node needs,
             all, or none.
    """

    def __init__(
        self, lowered: Lowered, letter: str, inlines: Literal["of a node", "all", "none"] = "of a node"
    ) -> None:
        ends = [after for _, after in lowered.state.values()] + [pack.after for pack in lowered.packs]
        wanted = [item.number for item in [*lowered.fetches, *ends] if isinstance(item, Tracer)]
        self.lowered = lowered
        self.steps = needed(lowered.instructions, wanted)
        self.texts = Texts(lambda value: self.name(value))
        self._names = {value.number: f"{letter}{n}" for n, value in enumerate(lowered.arguments)}
        self._names |= {pack.whole.number: f"p{n}" for n, pack in enumerate(lowered.packs)}
        packed = [step.outputs[0].number for step in self.steps if step.kind == "pack"]
        self._names |= {number: f"g{n}" for n, number in enumerate(packed)}
        self._inline: dict[int, str] = {}
        self._uses = Counter(
            item.number for step in self.steps for item in step.arguments if isinstance(item, Tracer)
        )
        self._uses.update(dict.fromkeys(wanted, 2))
        self._inlines = inlines
        self._users = self._users_of()

    def name(self, held: Any) -> str:
        """The text that stands for a result or a known array."""
        if not isinstance(held, Tracer):
            number = np.ndim(held) == 0 and held.dtype == FLOAT64
            return self.texts.constant(float(held) if number else held)
        if held.number in self._inline:
            return self._inline[held.number]
        return self._names.setdefault(held.number, f"v{len(self._names)}")

    def lines(
        self,
        buffers: Buffers,
        after: Mapping[int, Sequence[str]],
        steps: Sequence[Instruction] | None = None,
    ) -> list[Line]:
        """All instructions, or some. after: what is done once a number is there, such as recording it."""
        lines: list[Line] = []
        for step in self.steps if steps is None else steps:
            output = step.outputs[0]
            about = step.node.name if step.node else ""
            if step.kind == "pack":
                lines += self._pack(step, buffers, about)
                continue
            text = self.texts.expression(step, buffers.into.get(output.number))
            if output.number not in after and len(text) < LONGEST and self._is_inlined(step):
                self._inline[output.number] = f"({text})"
                continue
            names = ", ".join(self.name(item) for item in step.outputs)
            lines.append(Line(f"{names} = {text}", about))
            for item in step.outputs:
                lines += [Line(done) for done in after.get(item.number, ())]
        return lines

    def _pack(self, step: Instruction, buffers: Buffers, about: str) -> list[Line]:
        """What is not computed right in its place is put there."""
        places = [f"{self.name(step.outputs[0])}_{n}" for n in range(len(step.arguments))]
        self.texts.uses_numpy = True
        return [
            Line(f"{place}[...] = {self.name(item)}", about)
            for item, place in zip(step.arguments, places, strict=True)
            if not (isinstance(item, Tracer) and buffers.into.get(item.number) == place)
        ]

    def _is_inlined(self, step: Instruction) -> bool:
        """A number that only one other needs, once, may be written right there."""
        output = step.outputs[0]
        if self._inlines == "none":
            return False
        if not output.is_number or step.kind not in ("ufunc", "where") or self._uses[output.number] != 1:
            return False
        user = self._users.get(output.number)
        if user is None or not user.outputs[0].is_number:
            return False
        if self._inlines == "of a node" and user.node is not step.node:
            return False
        return user.kind == "ufunc" and user.function in INLINING

    def _users_of(self) -> dict[int, Instruction]:
        return {
            item.number: step for step in self.steps for item in step.arguments if isinstance(item, Tracer)
        }

    def finish(self, head: str, lines: Sequence[Line], **facts: Any) -> Written:
        """The whole text around these lines."""
        code = text_of(head, lines)
        words = set(WORD.findall(code))
        constants = {name: value for name, value in self.texts.constants.items() if name in words}
        used = {name for name in words.intersection(NAMES) if f"{name}(" in code or f"{name}." in code}
        given = {**constants, **{name: NAMES[name] for name in sorted(used)}}
        return Written(code, given | {"domain_errors": DOMAIN_ERRORS}, head, lines, constants, **facts)


INLINING = frozenset(
    {np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.exp, np.log, np.sqrt, np.log1p}
)  # whose templates mention each argument once


def write_program(lowered: Lowered) -> Written:
    """A function from the arguments to the tuple of fetches; a domain error is left to the interpreter."""
    writer = Writer(lowered, "x")
    results = [item.number for item in lowered.fetches if isinstance(item, Tracer)]
    fresh = sources(writer.steps, results)
    buffers = assign_buffers(writer.steps, {}, results, {}, fresh)
    body = writer.lines(buffers, {})
    if buffers.made:
        body.insert(0, Line(f"[{', '.join(buffers.made)}] = scratch.arrays"))
    arguments = ", ".join(writer.name(value) for value in lowered.arguments)
    fetches = "".join(f"{writer.name(item)}, " for item in lowered.fetches).rstrip()
    body.append(Line(f"return ({fetches})"))
    lines = [Line("try:"), *quietly(body, 2, writer.texts.uses_numpy), Line("except domain_errors:")]
    lines.append(Line(f"return interpret({arguments})", depth=2))
    if buffers.made:
        writer.texts.constants["scratch"] = Scratch(buffers.made.values())
    return writer.finish(f"def program({arguments}):", lines)


def write_part(lowered: Lowered) -> Written:
    """A function that others call, which deal with its errors.

    It computes in no memory of its own, so that arrays of other shapes may be given as well.
    """
    writer = Writer(lowered, "x")
    body = writer.lines(Buffers(), {})
    fetches = [writer.name(item) for item in lowered.fetches]
    body.append(Line(f"return {fetches[0] if len(fetches) == 1 else tuple_of(fetches)}"))
    arguments = ", ".join(writer.name(value) for value in lowered.arguments)
    return writer.finish(f"def part({arguments}):", body)


def quietly(lines: Sequence[Line], depth: int, uses_numpy: bool) -> list[Line]:
    """Where numpy computes, without its warnings: an infinity is a value like others."""
    if not uses_numpy:
        return deeper(lines, depth - 1)
    return [Line('with np.errstate(all="ignore"):', depth=depth), *deeper(lines, depth)]


def text_of(head: str, lines: Sequence[Line]) -> str:
    """A function's text as it is compiled."""
    return "\n".join([head, *(line.written for line in lines)]) + "\n"


def deeper(lines: Sequence[Line], levels: int) -> list[Line]:
    """The lines with so many levels more of indentation."""
    return [Line(line.text, line.about, line.depth + levels) for line in lines]


def tuple_of(texts: Iterable[str]) -> str:
    """The text of a tuple of these."""
    return f"({''.join(f'{text}, ' for text in texts).rstrip()})"


def _described(value: Any) -> str:
    """A constant, or an array to compute in, as the shown text gives it."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" if value.size > 4 else repr(value.tolist())
    if callable(value) and not isinstance(value, np.dtype):
        return "the op's own kernel"
    return str(value)
