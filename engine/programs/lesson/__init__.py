"""The lesson of a program: one forward and one backward pass, and one update, step by step."""

from engine.programs.lesson.steps import lesson_steps

__all__ = ["lesson_steps"]
