"""A seccomp filter: system calls that a program has no use for fail with "Operation not permitted".

The filter is a short program of the kernel's classic BPF, made from the tables below. It looks at each call's
number and, for a few, at one argument; it holds for all threads of this process, for what they start, and for
good. Other calls stay as they are, so that libraries go on working.

Source: Linux, Documentation/userspace-api/seccomp_filter.rst; include/uapi/linux/{seccomp,filter,audit}.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, DENY, MISSING = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16  # in struct seccomp_data
X32 = 0x40000000  # the bit of numbers in x86-64's other table
PR_SET_NO_NEW_PRIVS = 38
SET_MODE_FILTER, GET_ACTION_AVAIL, ALL_THREADS = 1, 2, 1
THREAD, NEW_NAMESPACES = 0x00010000, 0x7E020000  # flags of clone
FAKE_INPUT = 0x5412, 0x541C  # TIOCSTI and TIOCLINUX type on a terminal in somebody's name

SECCOMP = {"x86_64": (0xC000003E, 317), "aarch64": (0xC00000B7, 277)}  # architecture, number of seccomp()
DENIED = """
    socket 41 198, connect 42 203, bind 49 200, listen 50 201, accept 43 202, accept4 288 242,
    execve 59 221, execveat 322 281, fork 57 -, vfork 58 -,
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440,
    process_mrelease 448 448, kcmp 312 272, pidfd_open 434 434, pidfd_getfd 438 438,
    pidfd_send_signal 424 424, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, tkill 200 130,
    mount 165 40, umount2 166 39, move_mount 429 429, open_tree 428 428, fsopen 430 430, fsconfig 431 431,
    fsmount 432 432, fspick 433 433, mount_setattr 442 442, pivot_root 155 41, chroot 161 51,
    unshare 272 97, setns 308 268, swapon 167 224, swapoff 168 225, quotactl 179 60, quotactl_fd 443 443,
    bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, keyctl 250 219, add_key 248 217,
    request_key 249 218, io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427,
    kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273,
    delete_module 176 106, reboot 169 142, syslog 103 116, acct 163 89, iopl 172 -, ioperm 173 -,
    sethostname 170 161, setdomainname 171 162, settimeofday 164 170, clock_settime 227 112,
    adjtimex 159 171, clock_adjtime 305 266, open_by_handle_at 304 265, name_to_handle_at 303 264,
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
    fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5,
    lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16,
    setxattrat 463 463, removexattrat 466 466, fanotify_init 300 262, inotify_init 253 -,
    inotify_init1 294 26
"""  # name, number on x86-64, on aarch64: the network, processes, the system, what files are like
CLONE, CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
SIGNALLING = {"x86_64": (62, 234), "aarch64": (129, 131)}  # kill, tgkill
PRLIMIT = {"x86_64": 302, "aarch64": 261}
IOCTL = {"x86_64": 16, "aarch64": 29}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; the jumps are how many of the next to skip."""

    code: int
    k: int
    if_true: int = 0
    if_false: int = 0

    def packed(self) -> bytes:
        """A `struct sock_filter`."""
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.k)


def denied_calls(machine: str) -> Iterator[int]:
    """The numbers of the calls that are denied whatever their arguments."""
    column = list(SECCOMP).index(machine) + 1
    for row in DENIED.split(","):
        number = row.split()[column]
        if number != "-":
            yield int(number)


def filter_for(machine: str, process: int) -> list[Instruction]:
    """The filter of a process with this number, on a machine of this kind."""
    architecture, _ = SECCOMP[machine]
    return [
        Instruction(LOAD, ARCHITECTURE_AT),
        Instruction(JUMP_IF_EQUAL, architecture, if_true=1),
        Instruction(RETURN, DENY),
        Instruction(LOAD, NUMBER_AT),
        *([*when(JUMP_IF_AT_LEAST, X32), Instruction(RETURN, DENY)] if machine == "x86_64" else []),
        *(step for call in denied_calls(machine) for step in (*when(JUMP_IF_EQUAL, call), deny())),
        *when(JUMP_IF_EQUAL, CLONE3),
        Instruction(RETURN, MISSING),  # its flags cannot be looked at; libraries take clone instead
        *only_threads(CLONE[machine]),
        *(step for call in SIGNALLING[machine] for step in only_with(call, process)),
        *only_with(PRLIMIT[machine], 0, process),  # 0 is whoever asks
        *no_fake_input(IOCTL[machine]),
        Instruction(RETURN, ALLOW),
    ]


def when(comparison: int, value: int, length: int = 1) -> list[Instruction]:
    """The next instructions, so many of them, are for numbers that compare so."""
    return [Instruction(comparison, value, if_false=length)]


def deny() -> Instruction:
    """The call fails."""
    return Instruction(RETURN, DENY)


def only_threads(call: int) -> list[Instruction]:
    """A thread may be started, a process or a namespace not."""
    return [
        *when(JUMP_IF_EQUAL, call, length=5),
        Instruction(LOAD, ARGUMENTS_AT),
        Instruction(JUMP_IF_ANY_BIT, NEW_NAMESPACES, if_true=1),
        Instruction(JUMP_IF_ANY_BIT, THREAD, if_true=1),
        deny(),
        Instruction(RETURN, ALLOW),
    ]


def only_with(call: int, *allowed: int) -> list[Instruction]:
    """The call's first argument must be one of these numbers."""
    jumps = [
        Instruction(JUMP_IF_EQUAL, number, if_true=len(allowed) - place)
        for place, number in enumerate(allowed)
    ]
    return [
        *when(JUMP_IF_EQUAL, call, length=len(jumps) + 3),
        Instruction(LOAD, ARGUMENTS_AT),
        *jumps,
        deny(),
        Instruction(RETURN, ALLOW),
    ]


def no_fake_input(call: int) -> list[Instruction]:
    """A terminal that the service was started from gets no input from a worker."""
    return [
        *when(JUMP_IF_EQUAL, call, length=5),
        Instruction(LOAD, ARGUMENTS_AT + 8),
        Instruction(JUMP_IF_EQUAL, FAKE_INPUT[0], if_true=1),
        Instruction(JUMP_IF_EQUAL, FAKE_INPUT[1], if_false=1),
        deny(),
        Instruction(RETURN, ALLOW),
    ]


class Program(ctypes.Structure):
    """A `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def has_seccomp() -> bool:
    """Whether this kernel filters calls, and we know its numbers."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in SECCOMP:
        return False
    action = ctypes.c_uint32(DENY & 0xFFFF0000)
    return bool(libc().syscall(SECCOMP[machine][1], GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0)


def apply_filter() -> None:
    """Filter the calls of this process from now on. Raises: OSError where the kernel refuses."""
    machine = platform.machine()
    code = b"".join(step.packed() for step in filter_for(machine, os.getpid()))
    program = Program(len(code) // 8, code)
    refuse_new_rights()
    checked(
        libc().syscall(SECCOMP[machine][1], SET_MODE_FILTER, ALL_THREADS, ctypes.byref(program)), "seccomp"
    )


def refuse_new_rights() -> None:
    """Let no program that this process starts have more rights than it; the kernel asks for this first."""
    checked(libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def libc() -> ctypes.CDLL:
    """The C library, with the number of the last error kept."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, call: str) -> int:
    """What a call returned. Raises: OSError where it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result
