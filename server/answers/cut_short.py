"""The answers for work whose worker had to be stopped: the same shape, empty, with the reason."""

from __future__ import annotations

from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from server.http.problems import Problem
from server.serialization.answer import Answer, line, pack
from server.serialization.identity import program_id, run_id

REASONS = {
    "wall_time": (
        "The program ran for more than {wall_s:g} s and was stopped.",
        "程序运行超过 {wall_s:g} 秒，已被停止。",
        "Use fewer steps or smaller tensors.", "请减少步数或缩小张量。",
    ),
    "memory": (
        "The program needed more memory than it may use and was stopped.",
        "程序所需内存超过限额，已被停止。",
        "Use smaller tensors.", "请缩小张量。",
    ),
    "answer_too_large": (
        "The answer is longer than {answer_mb:g} MB and is not sent.",
        "回答超过 {answer_mb:g} MB，不予发送。",
        "Use fewer nodes, shorter names, or fewer names for the same large value.",
        "请减少节点、缩短名称，或不要让多个名称指向同一个大的值。",
    ),
    "worker_lost": (
        "The program ended the process that ran it.", "程序使运行它的进程意外结束。",
        "Please report this program.", "请把这个程序报告给我们。",
    ),
    "slow_reader": (
        "The run waited too long for its reader and was stopped.", "运行等待读取方的时间过长，已被停止。",
        "Read faster, or ask for fewer steps.", "请加快读取，或减少步数。",
    ),
}  # fmt: skip


OF_A_FILE = {
    "wall_time": (
        "Reading this graph took more than {wall_s:g} s and was stopped.",
        "读取这个图超过 {wall_s:g} 秒，已被停止。",
        "Open a smaller part of it, or the binary form of the same graph.",
        "请打开其中一部分，或同一个图的二进制形式。",
    ),
    "memory": (
        "This graph needs more memory than it may use.", "这个图所需内存超过限额。",
        "Open a smaller part of it.", "请打开其中一部分。",
    ),
    "answer_too_large": (
        "What there is to say about this graph is longer than {answer_mb:g} MB and is not sent.",
        "关于这个图的回答超过 {answer_mb:g} MB，不予发送。",
        "Open a smaller part of it.", "请打开其中一部分。",
    ),
}  # fmt: skip


def file_cut_short(reason: str, limits: Limits) -> Problem:
    """For the file of a graph, of which there is no half."""
    if reason not in OF_A_FILE:
        return problem_cut_short(reason, limits)
    figures = {"wall_s": limits.wall_s, "answer_mb": limits.answer_bytes / 1_000_000}
    message, message_zh, hint, hint_zh = [text.format(**figures) for text in OF_A_FILE[reason]]
    return Problem(422, reason, message, message_zh, hint=hint, hint_zh=hint_zh)


def diagnostic(reason: str, limits: Limits) -> dict[str, Any]:
    """The message to the learner; at the start of the text, since it is not known where it happened."""
    message, message_zh, hint, hint_zh = REASONS[reason]
    figures = {"wall_s": limits.wall_s, "answer_mb": limits.answer_bytes / 1_000_000}
    return {
        "severity": "error", "code": reason,
        "message": message.format(**figures), "hint": hint,
        "message_zh": message_zh.format(**figures), "hint_zh": hint_zh,
        "line": 1, "column": 1, "end_line": 1, "end_column": 1,
    }  # fmt: skip


def problem_cut_short(reason: str, limits: Limits) -> Problem:
    """For work of which there is no half: what stopped it, and what to try. A lost worker is our fault."""
    fields = diagnostic(reason, limits)
    texts = {key: fields[key] for key in ("message", "message_zh", "hint", "hint_zh")}
    return Problem(500 if reason == "worker_lost" else 422, reason, **texts)


def program_cut_short(request: ProgramRequest, reason: str, limits: Limits) -> Answer:
    """The answer of `POST /programs`, of which only the reason is known."""
    name = program_id(request, request.dialect)
    return Answer(name, pack(empty_program(name, request, reason, limits)), request, complete=False)


def empty_program(name: str, request: ProgramRequest, reason: str, limits: Limits) -> dict[str, Any]:
    """A program's answer with nothing in it but why."""
    return {
        "id": name, "dialect": request.dialect, "status": "limit", "printed": [], "inputs": [],
        "bindings": [],
        "target": None, "gradients": [], "graph": {"nodes": []}, "sessions": [],
        "diagnostics": [diagnostic(reason, limits)], "result": None,
        "usage": {"steps": 0, "nodes": 0, "elements": 0},
    }  # fmt: skip


def lesson_cut_short(program: str, level: str, reason: str, limits: Limits) -> Answer:
    """The answer of `GET /programs/{id}/lesson` without its steps."""
    body = {
        "program": program, "level": level, "steps": [], "values": {},
        "diagnostics": [diagnostic(reason, limits)],
    }  # fmt: skip
    return Answer(f"{program}/lesson/{level}", pack(body), complete=False)


def run_cut_short(
    program: str, request: ProgramRequest, run: RunRequest, reason: str, limits: Limits
) -> Answer:
    """The answer of `POST /runs` without its columns."""
    body = {
        "id": run_id(program, run), "program": empty_program(program, request, reason, limits), "feeds": [],
        **{name: {} for name in ("variables", "gradients", "processed", "slots", "shared", "nodes")},
        "steps": [], "loss": [], **run_ending(reason, limits),
    }  # fmt: skip
    return Answer(str(body["id"]), pack(body), complete=False)


def header_cut_short(
    program: str, request: ProgramRequest, run: RunRequest, reason: str, limits: Limits
) -> bytes:
    """The first line of a streamed run whose worker was stopped before any other."""
    view = empty_program(program, request, reason, limits)
    fields = {"id": run_id(program, run), "program": view, "feeds": [], "rows": run.steps + 1}
    return line(0, {"type": "header", **fields})


def footer_cut_short(number: int, reason: str, limits: Limits) -> bytes:
    """The last line of a streamed run whose worker was stopped."""
    return line(number, {"type": "footer", **run_ending(reason, limits)})


def run_ending(reason: str, limits: Limits) -> dict[str, Any]:
    """How a run ended whose worker was stopped."""
    return {"status": "limit", "stopped_at": None, "diagnostics": [diagnostic(reason, limits)]}
