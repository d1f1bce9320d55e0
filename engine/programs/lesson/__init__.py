"""The lesson of a program: one forward and one backward pass, and one update, step by step."""

from engine.programs.lesson.steps import LEVELS, Lesson, default_level, lesson_of

__all__ = ["LEVELS", "Lesson", "default_level", "lesson_of"]
