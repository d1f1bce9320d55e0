"""Landlock: which folders a process may still read, where it may still write, and that it reaches no network.

A ruleset names what it handles; all of that is denied but below the folders of its rules. It holds for this
process for good. How much a kernel handles grows from version to version; what it does not know is left out.

Source: Linux, Documentation/userspace-api/landlock.rst; include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from server.sandbox.seccomp import checked, libc, refuse_new_rights

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
ASK_VERSION = 1
PATH_BENEATH = 1
WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights of files each version knows
BIND_AND_CONNECT = 0b11  # TCP, from version 4
SCOPES = 0b11  # abstract sockets and signals stay within, from version 6


def landlock_version() -> int:
    """The version of the kernel's Landlock, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)))


def restrict_files(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Leave this process what it may read, and files that are there already that it may write.

    Whatever is missing among them is passed over. Raises: OSError where the kernel refuses.
    """
    version = landlock_version()
    ruleset = create_ruleset(version)
    try:
        for paths, rights in ((readable, READ_FILE | READ_DIR), (writable, WRITE_FILE)):
            for path in paths:
                allow(ruleset, path, rights)
        refuse_new_rights()
        checked(libc().syscall(RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    finally:
        os.close(ruleset)


def create_ruleset(version: int) -> int:
    """A ruleset that handles all that this version knows, as an open file."""
    files = (1 << FILE_RIGHTS[min(version, max(FILE_RIGHTS))]) - 1
    handled = struct.pack(
        "=QQQ", files, BIND_AND_CONNECT if version >= 4 else 0, SCOPES if version >= 6 else 0
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    return checked(
        libc().syscall(CREATE_RULESET, handled, ctypes.c_size_t(size), 0), "landlock_create_ruleset"
    )


def allow(ruleset: int, path: Path, rights: int) -> None:
    """Allow these rights for a file, or for all below a folder."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # missing here, or not ours to see: nothing is lost
        return
    try:
        rights = rights if path.is_dir() else rights & ~READ_DIR
        rule = struct.pack("=Qi", rights, place)
        checked(libc().syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0), "landlock_add_rule")
    finally:
        os.close(place)
