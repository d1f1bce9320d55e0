"""Texts for files of text: XML, PDF and their like hold no control characters, and no halves of pairs."""

from __future__ import annotations

import re

NO_LETTERS = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """The text as it is shown: what is no letter is replaced by a sign for that."""
    return NO_LETTERS.sub(REPLACEMENT, text)


def escaped(text: str) -> str:
    """The same for a name, so that different names stay different."""
    return NO_LETTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
