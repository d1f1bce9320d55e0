"""The lesson of a program: one forward and one backward pass, and one update, step by step."""

from engine.programs.lesson.steps import Lesson, lesson_of

__all__ = ["Lesson", "lesson_of"]
