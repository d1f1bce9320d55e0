"""A recorded turn as a whole: which values are the same each time, and in which order values are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.execution.eager.immediate import TRACED_ELEMENTS, EagerTensor, value_of
from engine.execution.eager.repeating import Opening
from engine.execution.eager.turns.recorded import Call, RecordedTurn, Step
from engine.graph import Tensor


def whole_turn(
    opening: Opening,
    carried: Sequence[Tensor],
    calls: list[Call],
    tensors: Sequence[EagerTensor | None],
    went_on: Sequence[tuple[int, int]],
) -> RecordedTurn:
    """The turn that these calls make up. tensors: by place; None for what no longer stands anywhere."""
    template, steps = _template(calls, tensors)
    ran, ran_until, closed_at = _shown(calls, len(carried))
    updates = [one for call in calls for step in call.steps for one in step.writes]
    written = [place for update in updates for place in update[1:]]
    sizes = [value_of(tensor).size for tensor in tensors if tensor is not None]
    largest = max([*sizes, *(ref.array.size for ref, *_ in updates)], default=0)
    return RecordedTurn(
        opening=opening,
        carried=[tensor.node for tensor in carried],
        calls=calls,
        outputs=[_output(tensor) for tensor in tensors],
        template=template,
        steps=steps,
        ran=ran,
        ran_until=ran_until,
        closed_at=closed_at,
        most_elements=largest,
        has_large=largest > TRACED_ELEMENTS,
        dispensable=sorted({*range(len(tensors))}.difference(ran, written)),
        went_on=went_on,
    )


def places_gone_on(
    calls: Sequence[Call], tensors: Sequence[Any], taken_up: Sequence[int]
) -> list[tuple[int, int]] | None:
    """For each tensor of the turn before: its place, and that of the same output in this turn.

    Returns: None where this turn leaves none for the next one.
    """
    now = {
        (step.node, index): place
        for call in calls
        for step in call.steps
        for index, place in enumerate(step.places)
    }
    lasts = [(place, now.get((tensors[place].node, tensors[place].index))) for place in taken_up]
    found = [(place, last) for place, last in lasts if last is not None]
    return found if len(found) == len(lasts) else None


def _output(tensor: Tensor | None) -> Any:
    """What a place holds: its node, which of its outputs, the element type, the shape."""
    return (None, 0, "", ()) if tensor is None else (tensor.node, tensor.index, tensor.dtype, tensor.shape)


def _shown(calls: Sequence[Call], carried: int) -> tuple[list[int], list[int], list[int]]:
    """The places whose values are shown, and after each call: how many, and how many by the last closing."""
    ran, closed = list(range(carried)), carried
    ran_until, closed_at = [carried], [carried]
    for call in calls:
        closed = closed if call.closed is None else len(ran) + call.closed
        ran += call.ran
        ran_until.append(len(ran))
        closed_at.append(closed)
    return ran, ran_until, closed_at


def _template(
    calls: Sequence[Call], tensors: Sequence[EagerTensor | None]
) -> tuple[list[Any], list[Step | None]]:
    """For each place: the value, where it is the same each time, and the step."""
    template: list[Any] = [None] * len(tensors)
    steps: list[Step | None] = [None] * len(tensors)
    for call in calls:
        for step in call.steps:
            _find_out_whether_known(step, template)
            for place in step.places:
                steps[place] = step
                if step.known:
                    template[place] = value_of(tensors[place])
        call.active = [step for step in call.steps if not step.known]
    return template, steps


def _find_out_whether_known(step: Step, template: Sequence[Any]) -> None:
    """Mark a step that gives the same arrays each time, since all that it reads is the same."""
    op = step.node.op
    varies = op.draws or op.writes or op.stateful or step.given is not None
    fixed = [isinstance(source, int) and template[source] is not None for source in step.sources]
    step.known = step.same is not None or (not varies and all(fixed))
    step.is_simple = len(step.kinds) == 1 and not (op.draws or op.writes or step.given is not None)
