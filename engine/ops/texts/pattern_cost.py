"""What looking for a pattern may cost, worked out before it is looked for."""

from __future__ import annotations

import re
from re import _constants as codes  # the parsed form of a pattern
from re import _parser as parser
from typing import Any

CHARACTERS_AT_ONCE = 16  # that C compares in about the time of one element operation
MOST = 10**15  # attempts; whatever is larger is as bad


def cost_of(pattern: re.Pattern[str], length: int) -> int:
    """Element operations of looking for a pattern in a text of this length, from above."""
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    return min(attempts(parsed, length) * (length + 1), MOST) // CHARACTERS_AT_ONCE


def attempts(items: Any, length: int) -> int:
    """How many ways a pattern may be tried at one place of a text of this length, from above.

    Each repeat may stop anywhere; what follows is then tried again. A repeat inside of a repeat multiplies
    with every turn, which no text is short enough for.
    """
    ways = 1
    for code, argument in items:
        ways = min(ways * _attempts_of(code, argument, length), MOST)
    return ways


def _attempts_of(code: Any, argument: Any, length: int) -> int:
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, most, inner = argument
        turns = min(int(most), length)
        one = attempts(inner, length)
        stops = max(turns - int(least), 0) + 1
        return MOST if one > 1 and turns * one.bit_length() > 60 else min(stops * one**turns, MOST)
    if code is codes.SUBPATTERN:
        return attempts(argument[-1], length)
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return attempts(argument[1], length)
    if code is codes.ATOMIC_GROUP:
        return attempts(argument, length)
    if code is codes.BRANCH:
        return min(sum(attempts(branch, length) for branch in argument[1]), MOST)
    if code is codes.GROUPREF_EXISTS:
        return MOST
    return 1
