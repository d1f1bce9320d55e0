"""The service itself: is it alive, is it ready, what is it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from engine.version import ANSWERS_VERSION, ENGINE_VERSION, TENSORFLOW_VERSION
from server.http.problems import metrics_closed, not_ready
from server.metrics import Metrics, may_read
from server.readiness import Readiness
from server.routes.shared import problems
from server.schemas.catalogues import HealthAnswer, ReadyAnswer, VersionAnswer

TEXT = "text/plain; version=0.0.4; charset=utf-8"  # Prometheus' own name for its format

router = APIRouter(tags=["service"])


@router.get("/health", response_model=HealthAnswer)
async def health() -> dict[str, str]:
    """Whether the service is alive."""
    return {"status": "ok"}


@router.get("/ready", response_model=ReadyAnswer, responses=problems(503))
async def ready(request: Request) -> dict[str, object]:
    """Whether the service can answer: its store can be written and its workers are up."""
    readiness: Readiness = request.app.state.readiness
    parts = await readiness.parts()
    if not all(parts.values()):
        raise not_ready([name for name, is_ready in parts.items() if not is_ready])
    return {"status": "ready", **parts, "bus": request.app.state.classes.following.is_joined}


@router.get(
    "/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}, **problems(403)}
)
async def metrics(request: Request) -> Response:
    """Figures for Prometheus, for those addresses that the settings list."""
    if not may_read(request.scope, request.app.state.metrics_from):
        raise metrics_closed()
    found: Metrics = request.app.state.metrics
    return Response(found.written(), media_type=TEXT)


@router.get("/version", response_model=VersionAnswer)
async def version() -> dict[str, str]:
    """The versions of the service and its engine, and of the TensorFlow whose graphs it builds."""
    return {"version": ENGINE_VERSION, "engine": ANSWERS_VERSION, "tensorflow": TENSORFLOW_VERSION}
