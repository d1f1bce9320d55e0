"""The service itself: is it alive, is it ready, what is it."""

from __future__ import annotations

from fastapi import APIRouter

from engine.version import ENGINE_VERSION, TENSORFLOW_VERSION

router = APIRouter(tags=["service"])


@router.get("/health")
async def health() -> dict[str, str]:
    """Whether the service is alive."""
    return {"status": "ok"}


@router.get("/version")
async def version() -> dict[str, str]:
    """The versions of the service and its engine, and of the TensorFlow whose graphs it builds."""
    return {"version": ENGINE_VERSION, "engine": ENGINE_VERSION, "tensorflow": TENSORFLOW_VERSION}
