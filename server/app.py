"""The application: middleware, routes and one place where errors become answers."""

from __future__ import annotations

from fastapi import FastAPI

from engine.version import ENGINE_VERSION
from server.headers import Headers
from server.intake import Intake
from server.pages import Assets, find_folder, pages_router
from server.problems import add_problem_handlers
from server.routes import service
from server.settings import Settings

API = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """Build the service; nothing starts before the server enters its lifespan."""
    app = FastAPI(
        title="Gradlens",
        version=ENGINE_VERSION,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    add_problem_handlers(app)
    app.add_middleware(Intake, body_bytes=settings.body_bytes)
    app.add_middleware(Headers)
    app.include_router(service.router, prefix=API)
    app.include_router(pages_router(Assets(find_folder("frontend"))))
    return app
