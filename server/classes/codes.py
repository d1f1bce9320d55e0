"""Codes that a class is joined by, and tokens that say who somebody is.

A code is eight of 31 symbols that are not taken for one another (no 0 and O, no 1, I and L): 40 bits.
A token is 256 random bits; the database holds its SHA-256 alone.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Literal

SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 8
MOST_TYPED = 40  # characters of what may be a code

Role = Literal["teacher", "student"]
PREFIXES: dict[Role, str] = {"teacher": "gt_", "student": "gs_"}


def new_code() -> str:
    """A code, without its hyphen."""
    return "".join(secrets.choice(SYMBOLS) for _ in range(LENGTH))


def shown(code: str) -> str:
    """`K7F3QX4M` as `K7F3-QX4M`."""
    return f"{code[:4]}-{code[4:]}"


def read_code(typed: str) -> str | None:
    """A code as somebody typed it, in either case, hyphen and spaces aside; None where it is none."""
    code = typed[:MOST_TYPED].upper().replace("-", "").replace(" ", "")
    return code if len(code) == LENGTH and set(code) <= set(SYMBOLS) else None


def new_token(role: Role) -> str:
    """A secret for a teacher or a student; its beginning says whose it is."""
    return PREFIXES[role] + secrets.token_urlsafe(32)


def role_of(token: str) -> Role | None:
    """Whose token this is, by its beginning."""
    return next((role for role, prefix in PREFIXES.items() if token.startswith(prefix)), None)


def hash_of(token: str) -> bytes:
    """What is kept of a token. (It is random and long, so a quick hash is enough.)"""
    return hashlib.sha256(token.encode()).digest()


def is_token(token: str, hashed: bytes) -> bool:
    """Whether this is the token of that hash, in a time that does not depend on where they differ."""
    return hmac.compare_digest(hash_of(token), hashed)
