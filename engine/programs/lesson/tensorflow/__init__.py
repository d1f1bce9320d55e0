"""A lesson at level TensorFlow: a step for each node of the graph, under its name."""

from engine.programs.lesson.tensorflow.steps import tensorflow_steps

__all__ = ["tensorflow_steps"]
