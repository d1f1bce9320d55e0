"""A lesson at level Mathematics: a step for each operation that the learner wrote, in the learner's names."""

from engine.programs.lesson.mathematics.steps import mathematics_steps, unrolled_steps
from engine.programs.lesson.mathematics.turns import FEW, MANY

__all__ = ["FEW", "MANY", "mathematics_steps", "unrolled_steps"]
