"""Errors as RFC 9457 problem documents: one shape, a stable code, English and Simplified Chinese.

A program's own mistakes are not problems: they are answers with diagnostics. A problem is a request
that could not be understood or served.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from engine.errors import GradlensError
from server.http.validation import explain_validation
from server.store.deadlines import UNAVAILABLE

RETRY_AFTER_S = 2

log = structlog.get_logger("gradlens")


class Problem(GradlensError):
    """A request that the service cannot answer, with the HTTP status that says so."""

    def __init__(
        self, status: int, code: str, message: str, message_zh: str, *, hint: str = "", hint_zh: str = "",
        place: str = "", headers: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(message, message_zh=message_zh, hint=hint, hint_zh=hint_zh, code=code)
        self.status = status
        self.place = place
        self.headers = dict(headers or {})


KINDS_ZH = {"program": "程序", "example": "示例", "op": "运算", "run": "运行", "page": "页面", "link": "链接",
            "import": "导入的图"}  # fmt: skip


def not_found(kind: str, name: str, known: Iterable[str] = ()) -> Problem:
    """Nothing of this kind is called by this name; perhaps one of the `known` names was meant."""
    name = name[:200]
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = (
        f"Did you mean {near[0]}?" if near else "The address may be mistyped, or what it named was not kept."
    )
    hint_zh = f"是不是想找 {near[0]}？" if near else "地址可能有误，或者它所指的内容没有保留。"
    return Problem(
        404, f"unknown_{kind}", f"There is no {kind} {name!r} here.", f"这里没有{KINDS_ZH[kind]} {name!r}。",
        hint=hint, hint_zh=hint_zh, place="path",
    )  # fmt: skip


def body_too_large(limit_bytes: int) -> Problem:
    """The request body is longer than the service reads."""
    return Problem(
        413, "body_too_large", f"The request body is over {limit_bytes:,} bytes.",
        f"请求内容超过 {limit_bytes:,} 字节。", hint="Send a shorter program or less data.",
        hint_zh="请缩短程序或减少数据。", place="body",
    )  # fmt: skip


def file_too_large(limit_bytes: int) -> Problem:
    """The file of a graph is longer than is read."""
    return Problem(
        413, "file_too_large", f"The file is over {limit_bytes:,} bytes.", f"文件超过 {limit_bytes:,} 字节。",
        hint="Write the graph without the values of its variables: as a GraphDef that is not frozen.",
        hint_zh="请写出不含变量值的图：即未冻结的 GraphDef。", place="body",
    )  # fmt: skip


def state_too_large(limit_bytes: int) -> Problem:
    """The state of a link is longer than is kept."""
    return Problem(
        413, "state_too_large", f"The state is over {limit_bytes:,} bytes of JSON.",
        f"页面状态的 JSON 超过 {limit_bytes:,} 字节。", hint="Shorten the text, or share fewer opened parts.",
        hint_zh="请缩短文本，或减少展开的部分。", place="body",
    )  # fmt: skip


def headers_too_large(limit_bytes: int) -> Problem:
    """The address and the headers of a request are longer than the service reads."""
    return Problem(
        431, "headers_too_large", f"The request's address and headers are over {limit_bytes:,} bytes.",
        f"请求的地址与头部超过 {limit_bytes:,} 字节。", place="headers",
        hint="Send the program in the body, and fewer or shorter headers.",
        hint_zh="请把程序放在请求内容中，并减少或缩短头部。",
    )  # fmt: skip


def request_too_slow() -> Problem:
    """A request stopped arriving before its end."""
    return Problem(
        408, "request_too_slow", "The request did not arrive in time.", "请求没有及时到达。",
        hint="Send it again, over a better connection.", hint_zh="请换用更好的网络连接后重试。",
    )  # fmt: skip


def not_http() -> Problem:
    """What was sent is not a request."""
    return Problem(
        400, "not_http", "What was sent is not an HTTP request.", "发送的内容不是 HTTP 请求。",
        hint="Look at its first line and its headers.", hint_zh="请检查它的首行和头部。",
    )  # fmt: skip


def too_many_requests_ahead(limit: int) -> Problem:
    """Requests are sent one after the other without waiting for an answer."""
    return Problem(
        400, "too_many_requests_ahead",
        f"More than {limit} requests were sent on one connection before any was answered.",
        f"在一个连接上连续发送了超过 {limit} 个请求而没有等待回答。",
        hint="Wait for answers, or open another connection.", hint_zh="请等待回答，或另开一个连接。",
    )  # fmt: skip


def unknown_host(host: str) -> Problem:
    """The service is not known by this name: a page elsewhere may have led a browser here."""
    return Problem(
        421, "unknown_host",
        f"This service is not called {host[:200]!r}.", f"本服务的名称不是 {host[:200]!r}。",
        hint="Use its IP address, or let the operator add the name to GRADLENS_HOSTS.",
        hint_zh="请使用 IP 地址，或请管理员把该名称加入 GRADLENS_HOSTS。", place="header Host",
    )  # fmt: skip


def not_json(media_type: str) -> Problem:
    """The body is announced as something else than JSON."""
    return Problem(
        415, "unsupported_media_type", f"The request body is announced as {media_type[:100]!r}, not as JSON.",
        f"请求内容的类型是 {media_type[:100]!r}，不是 JSON。", hint="Send Content-Type: application/json.",
        hint_zh="请设置 Content-Type: application/json。", place="header Content-Type",
    )  # fmt: skip


def access_key_needed() -> Problem:
    """The service has a key, and the request came without it."""
    return Problem(
        401, "access_key_needed", "This service asks for a key.", "本服务需要访问密钥。",
        hint="Ask your school for the key, and send it in the header Gradlens-Key.",
        hint_zh="请向学校索取密钥，并在 Gradlens-Key 头部中发送。",
        place="header Gradlens-Key", headers={"www-authenticate": 'Bearer realm="gradlens"'},
    )  # fmt: skip


def metrics_closed() -> Problem:
    """Figures are not for whoever asks from there."""
    return Problem(
        403, "metrics_closed", "Figures are not shown to this address.", "不向该地址显示运行指标。",
        hint="List it in GRADLENS_METRICS_FROM.", hint_zh="请把它加入 GRADLENS_METRICS_FROM。",
    )  # fmt: skip


def not_bytes(media_type: str) -> Problem:
    """The file of a graph is announced as something else than bytes."""
    return Problem(
        415, "unsupported_media_type", f"The file is announced as {media_type[:100]!r}, not as bytes.",
        f"文件的类型是 {media_type[:100]!r}，不是字节流。",
        hint="Send Content-Type: application/octet-stream.",
        hint_zh="请设置 Content-Type: application/octet-stream。", place="header Content-Type",
    )  # fmt: skip


def overloaded(what: str = "programs are waiting to run", what_zh: str = "等待运行的程序") -> Problem:
    """There is too much at once of what the service does."""
    return Problem(
        503, "overloaded", f"Too many {what}.", f"{what_zh}太多了。",
        hint=f"Try again in {RETRY_AFTER_S} s.", hint_zh=f"请在 {RETRY_AFTER_S} 秒后重试。",
        headers={"retry-after": str(RETRY_AFTER_S)},
    )  # fmt: skip


def bodies_overloaded() -> Problem:
    """Too many bodies are on their way at once."""
    return overloaded("large requests are arriving at once", "同时到达的大请求")


def store_unavailable() -> Problem:
    """The store does not answer, or not in time."""
    return Problem(
        503, "store_unavailable", "What this needs cannot be read or written at the moment.",
        "目前无法读取或写入所需的数据。",
        hint=f"Try again in {RETRY_AFTER_S} s; nothing that was confirmed is lost.",
        hint_zh=f"请在 {RETRY_AFTER_S} 秒后重试；已确认的内容不会丢失。",
        headers={"retry-after": str(RETRY_AFTER_S)},
    )  # fmt: skip


PARTS_ZH = {"store": "存储", "workers": "工作进程"}


def not_ready(parts: list[str]) -> Problem:
    """The service starts or recovers; `parts` of it are missing."""
    named, named_zh = ", ".join(parts), "、".join(PARTS_ZH[part] for part in parts)
    return Problem(
        503, "not_ready", f"The service is starting or recovering; not ready: {named}.",
        f"服务正在启动或恢复；尚未就绪：{named_zh}。", place=named,
    )  # fmt: skip


def no_cluster(address: str) -> Problem:
    """The Dask cluster that the parts of long work go to is not there, or no longer."""
    return Problem(
        503, "no_cluster",
        f"The Dask cluster at {address!r} does not answer.", f"Dask 集群 {address!r} 没有响应。",
        hint="Start its scheduler, or unset DASK_SCHEDULER to compute on this machine.",
        hint_zh="请启动它的调度器，或取消 DASK_SCHEDULER，在本机上计算。",
    )  # fmt: skip


def internal_error() -> Problem:
    """A fault of ours; the log holds what happened, the reader hears only that it did."""
    return Problem(
        500, "internal_error", "Something went wrong inside Gradlens; it is not your program's fault.",
        "Gradlens 内部出了问题，与你的程序无关。", hint="Please report the program that led here.",
        hint_zh="请把引发问题的程序报告给我们。",
    )  # fmt: skip


HTTP_ERRORS = {
    404: ("unknown_page", "There is nothing at this address.", "这个地址没有内容。"),
    405: ("method_not_allowed", "This address does not take that method.", "这个地址不支持该请求方法。"),
    413: ("body_too_large", "The request body is too large.", "请求内容过大。"),
    415: ("unsupported_media_type", "The request body must be JSON.", "请求内容必须是 JSON。"),
    503: ("overloaded", "The service is overloaded.", "服务过载。"),
}


ENGINE_STATUS = {
    "file_too_large": 413,
    "unknown_tensor": 404,
    "unknown_step": 404,
    "internal_error": 500,
}  # of the rest, 422


def problem_document(error: GradlensError) -> dict[str, Any]:
    """The document that describes `error`; one of the engine's own is a request that does not fit."""
    status = error.status if isinstance(error, Problem) else ENGINE_STATUS.get(error.code, 422)
    return {
        "type": f"urn:gradlens:problem:{error.code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": error.code,
        "detail": error.message,
        "hint": error.hint,
        "message_zh": error.message_zh,
        "hint_zh": error.hint_zh,
        "where": place_of(error),
    }


def problem_response(error: GradlensError) -> JSONResponse:
    """The response that describes `error`."""
    document = problem_document(error)
    headers = error.headers if isinstance(error, Problem) else {}
    return JSONResponse(
        document, document["status"], {"cache-control": "no-store", **headers}, "application/problem+json"
    )


def place_of(error: GradlensError) -> str | None:
    """Where the mistake lies, in words: a field of the request, or a line and column of the program.

    Of a request with two programs, which of them comes first: `before, line 3, column 9`.
    """
    if isinstance(error, Problem):
        return error.place or None
    line = f"line {error.where.line}, column {error.where.column}" if error.where else ""
    return ", ".join(filter(None, [error.part, line])) or None


def from_http(error: HTTPException) -> Problem:
    """The problem for an error that the framework raised."""
    phrase = HTTPStatus(error.status_code).phrase
    code, message, message_zh = HTTP_ERRORS.get(
        error.status_code, ("http_error", f"{phrase}.", f"{phrase}。")
    )
    allowed = (error.headers or {}).get("Allow")
    hint, hint_zh = (f"It takes {allowed}.", f"它支持 {allowed}。") if allowed else ("", "")
    return Problem(
        error.status_code, code, message, message_zh, hint=hint, hint_zh=hint_zh, headers=error.headers
    )


def from_validation(error: RequestValidationError) -> Problem:
    """The problem for a request that does not fit the schema: its first mistake."""
    found = explain_validation(error.errors()[0])
    return Problem(
        422, found.code, found.message, found.message_zh,
        hint=found.hint, hint_zh=found.hint_zh, place=found.place,
    )  # fmt: skip


def add_problem_handlers(app: FastAPI) -> None:
    """Let `app` answer every error with a problem document."""

    def on_gradlens(_: Request, error: Any) -> JSONResponse:
        return problem_response(error)

    def on_http(_: Request, error: Any) -> JSONResponse:
        return problem_response(from_http(error))

    def on_store(_: Request, error: Any) -> JSONResponse:
        log.warning("the store is not available", error=type(error).__name__)
        return problem_response(store_unavailable())

    def on_validation(_: Request, error: Any) -> JSONResponse:
        return problem_response(from_validation(error))

    app.add_exception_handler(GradlensError, on_gradlens)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(RequestValidationError, on_validation)
    for kind in UNAVAILABLE:
        app.add_exception_handler(kind, on_store)
