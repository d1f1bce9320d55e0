"""The service itself: is it alive, is it ready, what is it."""

from __future__ import annotations

from fastapi import APIRouter

from engine.version import ENGINE_VERSION, TENSORFLOW_VERSION
from server.catalogue_schemas import HealthAnswer, ReadyAnswer, VersionAnswer
from server.problems import Problem
from server.routes.shared import AnswersOf, problems

router = APIRouter(tags=["service"])


@router.get("/health", response_model=HealthAnswer)
async def health() -> dict[str, str]:
    """Whether the service is alive."""
    return {"status": "ok"}


@router.get("/ready", response_model=ReadyAnswer, responses=problems(503))
async def ready(answers: AnswersOf) -> dict[str, object]:
    """Whether the service can answer: its store is reachable and its workers are up."""
    store, workers = await answers.store.reachable(), answers.workers.alive
    if not (store and workers):
        raise Problem(503, "not_ready", "The service is starting or recovering.", "服务正在启动或恢复。")
    return {"status": "ready", "store": store, "workers": workers}


@router.get("/version", response_model=VersionAnswer)
async def version() -> dict[str, str]:
    """The versions of the service and its engine, and of the TensorFlow whose graphs it builds."""
    return {"version": ENGINE_VERSION, "engine": ENGINE_VERSION, "tensorflow": TENSORFLOW_VERSION}
