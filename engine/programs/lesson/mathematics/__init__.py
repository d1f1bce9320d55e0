"""A lesson at level Mathematics: a step for each operation that the learner wrote, in the learner's names."""

from engine.programs.lesson.mathematics.steps import mathematics_steps

__all__ = ["mathematics_steps"]
