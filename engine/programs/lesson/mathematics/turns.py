"""The steps about loops and branches, and which turns are told at all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import Span
from engine.graph import Node, Tensor, Variable
from engine.graph.reachability import ancestors
from engine.ops.base.tensors import FLOATS, Array
from engine.programs.lesson.mathematics.notation import Piece, composed, name_piece, value_piece
from engine.programs.lesson.mathematics.operations import Operation
from engine.programs.lesson.mathematics.page import Page, equation, told
from engine.programs.lesson.mathematics.sentences import turns as sentences
from engine.programs.lesson.mathematics.sentences.wording import in_words, is_large
from engine.programs.lesson.mathematics.source import CallText, calls_of
from engine.programs.lesson.unrolled import (
    BranchTaken,
    Happening,
    LoopEnded,
    LoopRun,
    Path,
    TurnBegan,
    Unrolled,
    VariableWritten,
)
from engine.programs.lesson.words import Step

MANY = 10  # turns of a loop: of more, the first two and the last are told
FEW = 3
LONGEST_BRANCH = 24  # characters of what a branch computes
ENTERING = ("Enter", "RefEnter")
LOGICAL = ("LogicalAnd", "LogicalOr", "LogicalNot")


@dataclass(slots=True)
class Turns:
    """What is said of the loops and branches of one run.

    most: how many turns of a loop are told; of more, the first, the second and the last.
    """

    unrolled: Unrolled
    source: str
    most: int = MANY
    _texts: Mapping[Span, CallText] = field(init=False)

    def __post_init__(self) -> None:
        self._texts = calls_of(self.source)

    # -- which are told ------------------------------------------------------------------------------------

    def tells(self, path: Path) -> bool:
        """Whether what stands in these turns is told."""
        return all(self._tells_turn(run, number) for run, number in path)

    def is_told(self, operation: Operation) -> bool:
        """Whether an operation has a step."""
        return operation.last not in self.unrolled.whole and self.tells(self.path(operation))

    def path(self, operation: Operation) -> Path:
        """The turns that an operation stands in."""
        return self.unrolled.paths.get(operation.last, ())

    def _tells_turn(self, run: LoopRun, number: int) -> bool:
        return run.turns <= self.most or number in (1, 2, run.turns)

    def block(self, operation: Operation) -> Hashable | None:
        """The outermost loop around an operation whose turn is not told, with the turns around it."""
        whole = self.unrolled.whole.get(operation.last)
        if whole is not None:
            return whole, whole.path
        path = self.path(operation)
        for depth, (run, number) in enumerate(path):
            if not self._tells_turn(run, number):
                return run, path[:depth]
        return None

    # -- what loop variables are called --------------------------------------------------------------------

    def names(self) -> Iterator[tuple[Tensor, Piece]]:
        """A loop variable after each turn: its name with the turn's number; a number that it begins with."""
        for happening in self.unrolled.happenings:
            if isinstance(happening, TurnBegan) and happening.number == 1:
                yield from self._begins_with(happening)
        for tensor, merge, path in self.unrolled.rounds:
            name = self._variable(path[-1][0], merge)
            if name and tensor.node.op.name not in ("Const", "VariableV2", "Placeholder"):
                yield tensor, name_piece(name, ",".join(str(number) for _, number in path))

    def _begins_with(self, first: TurnBegan) -> Iterator[tuple[Tensor, Piece]]:
        """The numbers that loop variables begin with, under their names."""
        for merge in first.run.variables:
            tensor, name = first.inside.get(merge.outputs[0]), self._variable(first.run, merge)
            if tensor is not None and name and tensor.node.op.name == "Const":
                outer = [str(number) for _, number in first.run.path]
                yield tensor, name_piece(name, ",".join(outer) or None)

    def written(self) -> Iterator[tuple[Tensor, Piece]]:
        """A variable after each write: its name with a number, from 0 on where its gradient is asked for."""
        for tensor, variable, number in self.unrolled.written:
            yield tensor, name_piece(self._name_of(variable), number)
        for whole, values in self.unrolled.parts.items():
            name = self._name_of(self.unrolled.origin[whole.node])
            yield whole, name_piece(name)
            yield next(iter(values)), name_piece(name, 0)

    def _name_of(self, variable: Node) -> str:
        """What the program calls a variable of its own graph."""
        for name, bound in self.unrolled.names.items():
            if isinstance(bound, Variable) and bound.ref.node is variable:
                return name
        return variable.name.rpartition("/")[2]

    def _text(self, run: LoopRun) -> CallText | None:
        span = run.goes_on.span
        return None if span is None else self._texts.get(span)

    def _variable(self, run: LoopRun, merge: Node) -> str:
        """What the body calls a loop variable, "" where the learner did not name it."""
        text = self._text(run)
        names = text.variables if text is not None else ()
        place = run.variables.index(merge) - (len(run.variables) - len(names))
        return names[place] if place >= 0 and len(run.variables) - len(names) in (0, 1) else ""

    # -- the way forward -----------------------------------------------------------------------------------

    def forward(self, page: Page) -> list[tuple[int, Step]]:
        """The steps about what was decided, with the place in the graph before which each stands."""
        found = []
        for happening in self.unrolled.happenings:
            step = self._forward_step(page, happening)
            if step is not None:
                found.append((happening.at, step))
        found += [step for operation in page.operations for step in self._results(page, operation)]
        return sorted(found, key=lambda step: step[0])

    def _results(self, page: Page, operation: Operation) -> Iterator[tuple[int, Step]]:
        """What a loop that is one operation gives."""
        run = self.unrolled.whole.get(operation.last)
        if run is None:
            return
        inputs = [told(tensor.name, page.value(tensor)) for tensor in operation.inputs]
        for tensor in operation.last.outputs:
            if tensor in page.names.given and tensor.node in page.words.forward and _is_taken(page, tensor):
                name, value = page.names.of(tensor), page.value(tensor)
                sentence = sentences.result_sentence(run.turns, name.text, in_words(value))
                node = operation.last.name
                result = equation(name.latex, value)
                yield (
                    operation.last.index,
                    page.step(
                        "forward",
                        node,
                        sentence,
                        nodes=[node],
                        rule=name.latex,
                        result=result,
                        inputs=inputs,
                        output=told(tensor.name, value),
                    ),
                )

    def beside(self) -> set[Node]:
        """What is told besides what the target needs: writes of variables, and what was decided by."""
        ends = [tensor for tensor, _, _ in self.unrolled.written]
        for happening in self.unrolled.happenings:
            if isinstance(happening, BranchTaken):
                ends += _compared(_behind(happening.pred))
        return ancestors(ends)

    def _forward_step(self, page: Page, happening: Happening) -> Step | None:
        if isinstance(happening, TurnBegan) and not self.tells(happening.path):
            first_left_out = happening.number == FEW and self.tells(happening.run.path)
            return self._rest(page, happening) if first_left_out else None
        if not self.tells(happening.path):
            return None
        if isinstance(happening, TurnBegan):
            return self._turn(page, happening)
        if isinstance(happening, VariableWritten):
            return self._write(page, happening)
        return (
            self._ended(page, happening)
            if isinstance(happening, LoopEnded)
            else self._branch(page, happening)
        )

    def _turn(self, page: Page, turn: TurnBegan) -> Step:
        condition = self._condition(page, turn)
        if condition is None:
            text = self._text(turn.run)
            sentence = sentences.plain_turn_sentence(turn.number, turn.run.turns, text.call if text else "")
        else:
            values = self._values(turn.run, turn.seen)
            sentence = sentences.turn_sentence(
                turn.number,
                condition.text,
                self._facts(page, turn),
                [f"{n} = {in_words(v)}" for n, v in values],
            )
        return self._step(page, "forward", "turn", turn.run.goes_on, turn.path, sentence, condition)

    def _ended(self, page: Page, end: Happening) -> Step | None:
        if not isinstance(end, LoopEnded):
            return None
        condition = self._condition(page, end)
        if condition is None:
            return None
        sentence = sentences.ended_sentence(end.run.turns, condition.text, self._facts(page, end))
        return self._step(page, "forward", "turn", end.run.goes_on, end.path, sentence, condition)

    def _branch(self, page: Page, branch: Happening) -> Step | None:
        if not isinstance(branch, BranchTaken):
            return None
        pred = _behind(branch.pred)
        condition = page.names.formula(pred)
        facts = [
            f"{page.names.of(tensor).text} = {in_words(page.value(tensor))}"
            for tensor in _compared(pred)
            if _is_named(page, tensor) and not is_large(page.value(tensor))
        ]
        taken = self._taken(page, branch)
        sentence = sentences.branch_sentence(
            condition.text, list(dict.fromkeys(facts)), taken, holds=branch.holds
        )
        return self._step(page, "forward", "branch", branch.merged, branch.path, sentence, condition)

    def _taken(self, page: Page, branch: BranchTaken) -> str:
        """What the branch that was taken computes, "" where that is long or nothing new."""
        result = self.unrolled.of_tensor.get(branch.merged.outputs[0])
        text = "" if result is None else page.names.formula(result).text
        return text if len(text) <= LONGEST_BRANCH else ""

    def _write(self, page: Page, written: VariableWritten) -> Step:
        """A variable is set."""
        name, value = page.names.of(written.made).text, page.value(written.made)
        sentence = sentences.written_sentence(name, in_words(value), is_large=is_large(value))
        return self._step(page, "forward", "write", written.by, written.path, sentence, None)

    def _rest(self, page: Page, third: TurnBegan) -> Step:
        """All turns from the third to the last but one."""
        run = third.run
        last = self._seen_at(run, run.turns)
        changes = [
            (name, in_words(before), in_words(after))
            for (name, before), (_, after) in zip(
                self._values(run, third.seen), self._values(run, last), strict=False
            )
        ]
        sentence = sentences.rest_sentence(FEW, run.turns - 1, changes)
        return self._step(page, "forward", "rest", run.goes_on, third.run.path, sentence, None)

    def _seen_at(self, run: LoopRun, number: int) -> Mapping[Tensor, Array]:
        turns = (h for h in self.unrolled.happenings if isinstance(h, TurnBegan) and h.run is run)
        return next((turn.seen for turn in turns if turn.number == number), {})

    def _values(self, run: LoopRun, seen: Mapping[Tensor, Array]) -> list[tuple[str, Array]]:
        """The loop variables that are short enough to be told, by name."""
        found = [(self._variable(run, merge), seen.get(merge.outputs[0])) for merge in run.variables]
        return [(name_piece(n).text, v) for n, v in found if n and v is not None and not is_large(v)]

    # -- conditions ----------------------------------------------------------------------------------------

    def _condition(self, page: Page, at: TurnBegan | LoopEnded) -> Piece | None:
        """What decides, with the loop variables under their own names; None where the learner wrote none."""
        text = self._text(at.run)
        if text is None or text.call != "while_loop" or not text.variables:
            return None
        return self._piece(page, at, at.run.goes_on.inputs[0])

    def _piece(self, page: Page, at: TurnBegan | LoopEnded, tensor: Tensor) -> Piece:
        node = tensor.node
        if node in at.run.variables:
            name = self._variable(at.run, node)
            return name_piece(name) if name else value_piece(at.seen[tensor])
        if node.op.name == "Const":
            return value_piece(node.attrs["value"])
        if node.op.name in ENTERING or not node.inputs:
            return page.names.of(at.inside[tensor]) if tensor in at.inside else Piece(r"\ldots")
        return composed(node, [self._piece(page, at, source) for source in node.inputs])

    def _facts(self, page: Page, at: TurnBegan | LoopEnded) -> list[str]:
        """`i = 2`: what stands in the condition."""
        found: dict[str, None] = {}
        for tensor in _compared(at.run.goes_on.inputs[0]):
            value = at.seen.get(tensor)
            if tensor.node.op.name != "Const" and value is not None and not is_large(value):
                found[f"{self._piece(page, at, tensor).text} = {in_words(value)}"] = None
        return list(found)

    # -- the way back --------------------------------------------------------------------------------------

    def entering(self, page: Page, before: Operation | None, operation: Operation) -> Step | None:
        """A heading where the way back enters a turn."""
        path, last = self.path(operation), () if before is None else self.path(before)
        return self._back(page, path) if path and path != last[: len(path)] else None

    def _back(self, page: Page, path: Path) -> Step:
        """The way back enters a turn."""
        run, number = path[-1]
        begun = self._begun(path)
        kept = []
        for tensor in self.unrolled.remembered.get(path, ()):
            value = page.value(tensor)
            if tensor.dtype in FLOATS and value is not None and not is_large(value):
                name = begun.get(tensor) if tensor.node.op.name == "Const" else page.names.of(tensor).text
                kept += [f"{name} = {in_words(value)}"] if name else []
        sentence = sentences.back_sentence(number, list(dict.fromkeys(kept)))
        return self._step(page, "backward", "turn", run.goes_on, path, sentence, None)

    def _begun(self, path: Path) -> dict[Tensor, str]:
        """The loop variables at the beginning of a turn, as the body calls them."""
        turns = (h for h in self.unrolled.happenings if isinstance(h, TurnBegan) and h.path == path)
        inside = next((turn.inside for turn in turns), {})
        run = path[-1][0]
        names = {merge.outputs[0]: self._variable(run, merge) for merge in run.variables}
        return {inside[t]: name_piece(name).text for t, name in names.items() if name and t in inside}

    def rest_back(self, page: Page, block: Hashable, parts: Sequence[tuple[Tensor, Array]]) -> Step:
        """The way back through the turns that are not told."""
        assert isinstance(block, tuple)
        run, path = block
        told = [(page.names.of(tensor).text, in_words(value)) for tensor, value in parts]
        sentence = (
            sentences.whole_back_sentence(run.turns, told)
            if run in self.unrolled.whole.values()
            else sentences.rest_back_sentence(FEW, run.turns - 1, told)
        )
        return self._step(page, "backward", "rest", run.goes_on, path, sentence, None)

    def _step(
        self,
        page: Page,
        phase: str,
        about: str,
        node: Node,
        path: Path,
        sentence: dict[str, str],
        rule: Piece | None,
    ) -> Step:
        return page.step(
            phase,
            node.name,
            sentence,
            about=about,
            nodes=[node.name],
            rule=None if rule is None else rule.latex,
            turns=[number for _, number in path],
        )


def _is_named(page: Page, tensor: Tensor) -> bool:
    """Whether a quantity is more than a number that stands in the formula itself."""
    return tensor.node.op.name != "Const" or tensor in page.names.given


def _is_taken(page: Page, tensor: Tensor) -> bool:
    """Whether a quantity is the target, or goes into an operation."""
    return tensor in page.words.ys or any(tensor in operation.inputs for operation in page.operations)


def _behind(tensor: Tensor) -> Tensor:
    """What is passed on by Identities."""
    while tensor.node.op.name == "Identity" and tensor.node.inputs:
        tensor = tensor.node.inputs[0]
    return tensor


def _compared(tensor: Tensor) -> Iterator[Tensor]:
    """What the comparisons of a condition look at."""
    if tensor.node.op.name in LOGICAL:
        for source in tensor.node.inputs:
            yield from _compared(source)
    elif tensor.dtype == "bool":
        yield from tensor.node.inputs
