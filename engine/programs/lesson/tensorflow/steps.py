"""All steps of a lesson at level TensorFlow; plumbing has none (`graph/essentials.py` says what that is)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from engine.languages.workspace import GradientCall
from engine.programs.lesson.tensorflow.backward import BackwardPass
from engine.programs.lesson.tensorflow.forward import forward_steps
from engine.programs.lesson.tensorflow.updates import process_steps, update_steps
from engine.programs.lesson.words import Step, Words
from engine.programs.program.static_values import FreshRun


def tensorflow_steps(
    words: Words, call: GradientCall | None, fresh: FreshRun, later: FreshRun
) -> Iterator[Step]:
    """A step for each node: forward, backward, between the gradients and the update, and the update.

    later: in which the update is run.
    """
    backward = BackwardPass(words, call, fresh).steps() if call else ()
    return chain(forward_steps(words), backward, process_steps(words), update_steps(words, later))
