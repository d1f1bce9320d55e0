"""Loops with tapes, as programs write them, each below its name. DTYPE and NP are an element type."""

from tests.engine.execution.eager import loops_of_models, loops_of_steps, loops_of_tapes

LOOPS = "\n".join([loops_of_steps.LOOPS, loops_of_tapes.LOOPS, loops_of_models.LOOPS])
