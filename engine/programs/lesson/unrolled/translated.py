"""Steps about a copy of a run, with the nodes and tensors of the program's own graph in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.graph import Node, Tensor, Variable
from engine.languages.workspace import GradientCall
from engine.programs.lesson.unrolled.unrolled import Unrolled
from engine.programs.lesson.words import Step, Words
from engine.programs.training.training import rows_of


class Translated:
    """Of which node each of the copy's nodes is a copy; one of several turns stands for all of them."""

    def __init__(self, run: Unrolled, words: Words, call: GradientCall | None) -> None:
        self.of: dict[Tensor, Tensor] = {}
        self._tensors: dict[str, str] = {}
        self._nodes: dict[str, list[str]] = {}
        for copy, node in run.origin.items():
            self._nodes[copy.name] = [node.name]
            for made, own in zip(copy.outputs, node.outputs, strict=False):
                self._tensors[made.name] = own.name
        if call is not None and run.call is not None:
            self._note_call(run, words, call, run.call)

    def _note_call(self, run: Unrolled, words: Words, call: GradientCall, copied: GradientCall) -> None:
        for y, own in zip(copied.ys, call.ys, strict=True):
            self.of[y] = own
        for x, given in zip(copied.xs, call.xs, strict=True):
            self.of[x] = given.ref if isinstance(given, Variable) else given
        for made, own_slope in zip(copied.gradients, call.gradients, strict=True):
            if made is not None and own_slope is not None:
                self._tensors[rows_of(made).name] = rows_of(own_slope).name
        self._note_sweep(run, words)

    def _note_sweep(self, run: Unrolled, words: Words) -> None:
        """What the copy's sweep made, by what the program's own sweep made for the same node."""
        visits = {adjoint.node: adjoint for adjoint in words.adjoints}
        behind: dict[Node, list[str]] = {}
        for made in words.graph.nodes:
            if made.phase == "gradient" and made.of is not None:
                behind.setdefault(made.of, []).append(made.name)
        graph = run.ys[0].graph
        for adjoint in graph.adjoints:
            node = run.origin.get(adjoint.node)
            own = None if node is None else visits.get(node)
            if own is not None:
                self._note_tensors(adjoint.upstream, own.upstream)
                self._note_tensors(adjoint.passed, own.passed)
        for copy in graph.nodes:
            if copy.phase == "gradient" and copy.of in run.origin:
                self._nodes[copy.name] = behind.get(run.origin[copy.of], [])

    def _note_tensors(self, copies: Sequence[Any], owns: Sequence[Any]) -> None:
        for copy, own in zip(copies, owns, strict=False):
            if copy is not None and own is not None:
                self._tensors.setdefault(rows_of(copy).name, rows_of(own).name)

    def step(self, step: Step) -> Step:
        """The step with the graph's own names in it; those that stand for nothing there fall away."""
        if step.get("about"):
            return step
        found = {
            name: self._value(step[name])
            for name in ("inputs", "output", "upstream", "local", "contributions")
        }
        nodes = [own for name in step["nodes"] for own in self._nodes.get(name, ())]
        of = step["of"] and next(iter(self._nodes.get(step["of"], ())), None)
        named = next(iter(self._nodes.get(step["node"], ())), None)
        wrong = [self._value(one) for one in step["misconceptions"]]
        question = step["question"] and self._question(step["question"])
        return {
            **step,
            **found,
            "nodes": list(dict.fromkeys(nodes)),
            "of": of,
            "node": named or of or "",
            "misconceptions": wrong,
            "question": question,
        }

    def _question(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """A question with the graph's own nodes and tensors."""
        found = {**question, "to": self._tensors.get(question["to"], question["to"])}
        if question["kind"] != "node":
            return found
        choices = [{**one, "value": self._node(one["value"])} for one in question["choices"]]
        also = [self._node(name) for name in question["also_right"]]
        return {**found, "answer": self._node(question["answer"]), "choices": choices, "also_right": also}

    def _node(self, name: str) -> str:
        return next(iter(self._nodes.get(name, ())), name)

    def values(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Entries with the graph's own tensors in them."""
        return [self._value(one) for one in found]

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if not isinstance(value, Mapping):
            return value
        return {
            key: self._tensors.get(item, item) if key in ("tensor", "from", "to", "input") else item
            for key, item in value.items()
        }
