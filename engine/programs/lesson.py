"""The lesson of a program: one forward and one backward pass, and one update, step by step.

All values are those of one run from the variables' initial values, so that every step follows from
the steps before it. Plumbing has no step of its own (`engine/graph/essentials.py` says what that is).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Adjoint, Graph, Node, Tensor, Variable
from engine.graph.essentials import essentials
from engine.ops.shapes import broadcast, same
from engine.ops.slices import IndexedSlices
from engine.ops.tensors import Array
from engine.programs import telling
from engine.programs.formulas import (
    formula,
    in_brackets,
    name_latex,
    number_text,
    plain_text,
    value_latex,
    value_text,
)
from engine.programs.items import value_json
from engine.programs.outcome import Outcome
from engine.programs.result import processing_nodes
from engine.programs.static_values import FreshRun, fresh_run
from engine.programs.surfaces.tf1_session import usual_feeds
from engine.programs.workspace import Clip, GradientCall

MAX_STEPS = 500
UNTOLD = frozenset({"Const", "NoOp", "Assign", "Fill", "ZerosLike"})
GIVEN = frozenset({"VariableV2", "Placeholder"})
ROW_BY_ROW = frozenset({"Softmax", "LogSoftmax"})  # shaped like elementwise ops, but their elements mix

Step = dict[str, Any]


def lesson_steps(outcome: Outcome) -> list[Step]:
    """The steps in order, or none where there is nothing to tell or too much of it."""
    call = _call_to_tell(outcome)
    ys = call.ys if call else tuple(y for y in (outcome.target,) if y is not None)
    if not ys:
        return []
    feeds = usual_feeds(outcome.workspace, outcome.names, outcome.graph)
    lesson = Lesson(outcome, ys, call, fresh_run(outcome, feeds))
    steps = [*lesson.forward(), *lesson.backward(), *lesson.process(), *lesson.update()]
    if len(steps) > MAX_STEPS:
        return []
    return [{"index": index, **step} for index, step in enumerate(steps)]


def _call_to_tell(outcome: Outcome) -> GradientCall | None:
    """The gradient call that the target comes from."""
    calls = [call for call in outcome.workspace.gradient_calls if call.ys[0].graph is outcome.graph]
    return next((call for call in reversed(calls) if outcome.target in call.ys), None)


class Lesson:
    """One pass through the graph, told."""

    def __init__(
        self, outcome: Outcome, ys: Sequence[Tensor], call: GradientCall | None, fresh: FreshRun
    ) -> None:
        self.outcome = outcome
        self.graph: Graph = outcome.graph
        self.ys = ys
        self.call = call
        self.fresh = fresh
        self.values = fresh.values
        self.kept = {essential.node: essential.inputs for essential in essentials(self.graph)}
        self.needed_forward = _ancestors(y.node for y in ys)
        gradients = [g for g in (call.gradients if call else ()) if g is not None]
        self.needed_backward = _ancestors(g.node for g in gradients) - self.needed_forward
        self.adjoints = [a for a in self.graph.adjoints if a.node in self.needed_forward]
        self.passed = self._passed()
        self.received = self._received()

    # -- names and values ------------------------------------------------------------------------

    def label(self, tensor: Tensor) -> str:
        """What the learner calls a tensor: the first name that the program gave it, else its node's."""
        tensor = self.resolved(tensor)
        for name, bound in self.outcome.names.items():
            if bound is tensor or (isinstance(bound, Variable) and bound.ref is tensor):
                return name
        return tensor.node.name

    def symbol(self, tensor: Tensor) -> str:
        """The same for a formula; a constant stands for itself, a bar is the gradient of what it covers."""
        tensor = self.resolved(tensor)
        if self._is_number(tensor):
            return self.numbers(tensor) or name_latex(tensor.node.name)
        if tensor in self.received:
            return rf"\bar{{{name_latex(self.label(self.received[tensor]))}}}"
        if tensor.node.phase == "gradient":
            return name_latex(tensor.node.name.rpartition("/")[2])
        return name_latex(self.label(tensor))

    def _is_number(self, tensor: Tensor) -> bool:
        kind = tensor.node.op.name
        return kind == "Fill" or (kind == "Const" and np.ndim(tensor.node.attrs["value"]) == 0)

    def numbers(self, tensor: Tensor) -> str | None:
        """The value for a formula, negative ones in brackets."""
        written = value_latex(self.values.get(tensor))
        return None if written is None else in_brackets(written)

    def text(self, tensor: Tensor) -> str:
        """The value for a sentence."""
        return value_text(self.values.get(tensor))

    def resolved(self, tensor: Tensor) -> Tensor:
        """The tensor behind reads, gates and other nodes that only pass it on."""
        while tensor.node not in self.kept and tensor.node.op.name != "Fill" and tensor.node.inputs:
            tensor = tensor.node.inputs[0]
        return tensor

    def told(self, tensor: Tensor) -> dict[str, Any]:
        """`{"tensor", "value"}`."""
        return {"tensor": tensor.name, "value": value_json(self.values.get(tensor))}

    def step(self, phase: str, node: Node, sentence: telling.Sentence, **more: Any) -> Step:
        """A step about a node, with all fields of the API."""
        step: Step = {
            "phase": phase,
            "node": node.name,
            "of": node.of.name if node.of else None,
            "sentence": sentence,
            "rule": None,
            "rule_numbers": None,
            "inputs": [self.told(tensor) for tensor in self.kept.get(node, ())],
            "output": self.told(node.outputs[0]),
            "upstream": None,
            "local": [],
            "contributions": [],
            "misconceptions": [],
        }
        return {**step, **more}

    def formulas(self, node: Node) -> dict[str, str | None]:
        """A node's formula with names, and with numbers where they are few."""
        arguments = [self.numbers(tensor) for tensor in node.inputs]
        result = value_latex(self.values.get(node.outputs[0]))
        named = formula(node, [self.symbol(tensor) for tensor in node.inputs])
        if result is None or any(argument is None for argument in arguments):
            return {"rule": named, "rule_numbers": None}
        numbered = formula(node, [argument or "" for argument in arguments])
        return {"rule": named, "rule_numbers": f"{numbered} = {result}"}

    def plain(self, node: Node) -> str:
        """A node's formula as text: names for what the program computes, numbers for gradients."""
        return plain_text(formula(node, [self._word(tensor) for tensor in node.inputs]))

    def _word(self, tensor: Tensor) -> str:
        gradient = self.resolved(tensor).node.phase == "gradient" and tensor.node not in self.needed_forward
        return self.numbers(tensor) or self.symbol(tensor) if gradient else self.symbol(tensor)

    # -- forward ---------------------------------------------------------------------------------

    def forward(self) -> Iterator[Step]:
        """Variables and operations that the target needs, in order."""
        nodes = self._tellable(self.needed_forward)
        for number, node in enumerate(nodes, start=1):
            position = f"{number}/{len(nodes)}"
            value = self.text(node.outputs[0])
            if node.op.name in GIVEN:
                name = self.label(node.outputs[0])
                told = value_latex(self.values.get(node.outputs[0]))
                yield self.step(
                    "forward",
                    node,
                    telling.variable_sentence(position, name, value),
                    rule=name_latex(name),
                    rule_numbers=f"{name_latex(name)} = {told}" if told else None,
                )
            else:
                sentence = telling.forward_sentence(position, node.name, self.plain(node), value)
                yield self.step("forward", node, sentence, **self.formulas(node))

    def _tellable(self, needed: Iterable[Node]) -> list[Node]:
        chosen = {
            node for node in needed if node in self.kept and node.op.name not in UNTOLD and node.outputs
        }
        return [node for node in self.graph.nodes if node in chosen]

    # -- backward --------------------------------------------------------------------------------

    def backward(self) -> Iterator[Step]:
        """The seed, then every node of the gradient graph that the asked gradients need."""
        if self.call is None:
            return
        carrying = self._carrying()
        for seed in self._seeds():
            yield self._seed_step(seed)
        nodes = self._tellable(self.needed_backward)
        for number, node in enumerate(nodes, start=1):
            position = f"{number}/{len(nodes)}"
            if node in self.passed:
                yield self._passing_step(position, node)
            elif node.op.name == "AddN" and node.of is None:
                yield self._fan_out_step(position, node)
            else:
                yield self._part_step(position, node, node in carrying)

    def _seeds(self) -> list[Node]:
        found = [node for node in self.needed_backward if node.op.name == "Fill" and node.of is None]
        return sorted(found, key=lambda node: node.index)

    def _seed_step(self, seed: Node) -> Step:
        y = next(
            (a.node.outputs[0] for a in self.adjoints if seed in {t.node for t in a.upstream}), self.ys[0]
        )
        name = name_latex(self.label(y))
        rule = rf"\frac{{\partial {name}}}{{\partial {name}}} = 1"
        return self.step("gradient", seed, telling.seed_sentence(self.label(y)), rule=rule)

    def _carrying(self) -> set[Node]:
        """The nodes of the gradient graph whose value holds the upstream gradient."""
        carrying: set[Node] = set(self._seeds())
        for node in self.graph.nodes:
            if node.phase == "gradient" and any(tensor.node in carrying for tensor in node.inputs):
                carrying.add(node)
        return carrying

    def _passed(self) -> dict[Node, tuple[Adjoint, int]]:
        """For each node of the gradient graph that ends a rule: the visit, and the input it is for."""
        found: dict[Node, tuple[Adjoint, int]] = {}
        for adjoint in self.adjoints:
            for index, gradient in enumerate(adjoint.passed):
                if gradient is not None:
                    node = self.resolved(_numbers(gradient)).node
                    if node.of is adjoint.node:
                        found.setdefault(node, (adjoint, index))
        return found

    def _received(self) -> dict[Tensor, Tensor]:
        """For each gradient that a node received: the forward tensor that it is the gradient of."""
        pairs = [pair for a in self.adjoints for pair in zip(a.upstream, a.node.outputs, strict=False)]
        return {self.resolved(upstream): output for upstream, output in pairs}

    def _passing_step(self, position: str, node: Node) -> Step:
        adjoint, index = self.passed[node]
        upstream, result = adjoint.upstream[0], node.outputs[0]
        op = self._op_label(adjoint, index)
        local = self._local(adjoint, result)
        adjoints = adjoint.node.op.adjoints
        rule = adjoints[min(index, len(adjoints) - 1)] if adjoints else None
        more: dict[str, Any] = {"rule": rule, "upstream": self.told(upstream), "of": adjoint.node.name}
        if local is None:
            shown = plain_text(rule) if rule else self.plain(node)
            sentence = telling.passed_sentence(position, op, shown, self.text(result))
            return self.step("gradient", node, sentence, **more)
        source = adjoint.node.inputs[index]
        more["local"] = [{"input": source.name, "value": value_json(local)}]
        more["rule_numbers"] = self._product(upstream, local, result)
        parts = self.text(upstream), value_text(local), self.text(result)
        return self.step("gradient", node, telling.backward_sentence(position, op, *parts), **more)

    def _op_label(self, adjoint: Adjoint, index: int) -> str:
        """The forward node, with the input in brackets where the rule passes something to several."""
        nodes = {self.resolved(_numbers(g)).node for g in adjoint.passed if g is not None}
        if len(nodes & self.needed_backward) < 2:
            return adjoint.node.name
        return f"{adjoint.node.name} ({self.label(adjoint.node.inputs[index])})"

    def _product(self, upstream: Tensor, local: Array, result: Tensor) -> str | None:
        factors = self.numbers(upstream), value_latex(local), value_latex(self.values.get(result))
        if None in factors or local.ndim:
            return None
        return rf"{factors[0]} \times {in_brackets(factors[1] or '')} = {factors[2]}"

    def _local(self, adjoint: Adjoint, result: Tensor) -> Array | None:
        """The local derivative, element by element: what the rule gives for an upstream gradient of 1."""
        upstream = self.values.get(adjoint.upstream[0])
        passed = self.values.get(result)
        if upstream is None or passed is None or upstream.shape != passed.shape:
            return None
        if not _is_elementwise(adjoint.node) and passed.ndim:
            return None
        around = (*adjoint.node.inputs, *adjoint.node.outputs)
        feeds = {tensor: self.values[tensor] for tensor in around if tensor in self.values}
        feeds[adjoint.upstream[0]] = np.ones_like(upstream)
        try:
            return np.asarray(self.fresh.session.run(result, {**self.fresh.feeds, **feeds}))
        except GradlensError:
            return None  # a rule that needs more than its own node has no local derivative to show

    def _fan_out_step(self, position: str, node: Node) -> Step:
        total = node.outputs[0]
        parts = [self.resolved(part) for part in node.inputs]
        contributions = [
            {"from": (part.node.of or part.node).name, "value": value_json(self.values.get(part))}
            for part in parts
        ]
        texts = [self.text(part) for part in parts]
        sentence = telling.fan_out_sentence(position, self._receiver(total), texts, self.text(total))
        return self.step("gradient", node, sentence, **self.formulas(node), contributions=contributions)

    def _receiver(self, total: Tensor) -> str:
        """The forward tensor whose contributions were added up."""
        for adjoint in self.adjoints:
            if total in adjoint.upstream:
                return self.label(adjoint.node.outputs[adjoint.upstream.index(total)])
        xs = zip(self.call.xs, self.call.gradients, strict=True) if self.call else ()
        return next((self.label(x.as_tensor()) for x, gradient in xs if gradient is total), total.node.name)

    def _part_step(self, position: str, node: Node, carries: bool) -> Step:
        tell = telling.part_sentence if carries or node.of is None else telling.local_sentence
        op = node.of.name if node.of else node.name
        sentence = tell(position, op, self.plain(node), self.text(node.outputs[0]))
        return self.step("gradient", node, sentence, **self.formulas(node))

    # -- process and update ----------------------------------------------------------------------

    def process(self) -> Iterator[Step]:
        """What the program put between the gradients and the update; a clip is one step."""
        between = processing_nodes(self.graph)
        clips = [clip for clip in self.outcome.workspace.clips if clip.clipped.node in between]
        for clip in clips:
            yield self._clip_step(clip)
        scopes = tuple(f"{clip.clipped.node.name}/" for clip in clips)
        ends = {clip.clipped.node for clip in clips}
        for node in self._tellable(between):
            if node not in ends and not node.name.startswith(scopes):
                sentence = telling.process_sentence(node.name, self.plain(node), self.text(node.outputs[0]))
                yield self.step("process", node, sentence, **self.formulas(node))

    def _clip_step(self, clip: Clip) -> Step:
        node = clip.clipped.node
        values = self.values.get(_numbers(clip.tensor))
        norm = float(np.sqrt(np.sum(np.square(values, dtype=np.float64)))) if values is not None else 0.0
        bound = float(np.asarray(clip.bound)) if isinstance(clip.bound, (int, float, np.number)) else 0.0
        sentence = telling.clip_sentence(number_text(norm), number_text(bound), norm > bound > 0)
        rule = r"g \cdot \frac{c}{\max(\lVert g \rVert, c)}"
        return self.step("process", node, sentence, rule=rule, upstream=self.told(_numbers(clip.tensor)))

    def update(self) -> Iterator[Step]:
        """The first update of each variable, where the program built an optimizer."""
        calls = [c for c in self.outcome.workspace.updates if c.train_op.graph is self.graph]
        if not calls:
            return
        call = calls[-1]
        before = dict(self.fresh.session.variables)
        try:
            self.fresh.session.run(call.train_op, self.fresh.feeds)
        except GradlensError:
            return  # the program's own diagnostics say why it cannot run
        for node in self.graph.nodes:
            if node.phase == "update" and node.op.name.startswith("Apply") and node.op.writes:
                yield self._update_step(node, call.optimizer.name, before)

    def _update_step(self, node: Node, optimizer: str, before: dict[Node, Array]) -> Step:
        variable = node.inputs[0]
        written = self.fresh.session.variables.get(variable.node)
        name, old, new = self.label(variable), value_text(before.get(variable.node)), value_text(written)
        if node.op.name == "ApplyGradientDescent":
            rate, gradient = (self.text(tensor) for tensor in node.inputs[1:3])
            sentence = telling.descent_sentence(name, old, rate, gradient, new)
        else:
            sentence = telling.update_sentence(name, optimizer, old, new)
        rule = formula(node, [self.symbol(tensor) for tensor in node.inputs])
        output = {"tensor": node.outputs[0].name, "value": value_json(written)}
        return self.step("update", node, sentence, rule=rule, of=variable.node.name, output=output)


def _ancestors(nodes: Iterable[Node]) -> set[Node]:
    """These nodes and all that their values are computed from."""
    found: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(tensor.node for tensor in node.inputs)
    return found


def _is_elementwise(node: Node) -> bool:
    return node.op.shape_rule in (same, broadcast) and node.op.name not in ROW_BY_ROW


def _numbers(gradient: Any) -> Tensor:
    tensor: Tensor = gradient.values if isinstance(gradient, IndexedSlices) else gradient
    return tensor
