"""What the clean process makes ready once, so that every worker that is forked from it has it.

Only that process loads this module, after all that a worker needs.
"""

from engine.differentiation import prepare_templates
from engine.languages.mathematics.parser import grammar
from server.workers import worker_process  # noqa: F401  # to have it loaded

grammar()
prepare_templates()
