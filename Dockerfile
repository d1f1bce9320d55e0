# Gradlens in a container: the wheel is built in one stage, and only what it needs reaches the other.
#
# PYTHON_IMAGE is the base of both. Its tag moves as Python is mended; to build on the same bytes every time, name it
# by its digest, which `docker buildx imagetools inspect python:3.13-slim-bookworm` shows on its line "Digest":
#   docker build --build-arg PYTHON_IMAGE=python:3.13-slim-bookworm@sha256:… .
#   PYTHON_IMAGE=python:3.13-slim-bookworm@sha256:… docker compose build
ARG PYTHON_IMAGE=python:3.13-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
# PDF and PNG need 36 MB: pictures in a container are SVG and TikZ, unless it is built by `PICTURES=yes docker compose build`
ARG PICTURES=
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN apt-get update && apt-get install --yes --no-install-recommends binutils # for `strip`
RUN python -m venv --without-pip /opt/gradlens
COPY requirements.lock ./
RUN pip --python /opt/gradlens/bin/python install --no-compile --require-hashes --requirement requirements.lock
COPY . .
# uvicorn's reloader, WebSockets, YAML and pictures in a terminal are not used, and what builds the wheel has done so by then
RUN pip --python /opt/gradlens/bin/python install --no-compile --no-deps --no-build-isolation . \
    && pip --python /opt/gradlens/bin/python uninstall --yes \
        hatchling editables pathspec pluggy trove-classifiers watchfiles websockets pyyaml \
        rich markdown-it-py mdurl pygments \
    && if [ -z "$PICTURES" ]; then \
        pip --python /opt/gradlens/bin/python uninstall --yes reportlab pillow charset-normalizer resvg-py; fi \
    && sh scripts/trim.sh /opt/gradlens \
    && /opt/gradlens/bin/python -m compileall -q /opt/gradlens/lib

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Gradlens" org.opencontainers.image.licenses="Apache-2.0"
ENV PATH=/opt/gradlens/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 GRADLENS_DATA_DIR=/data
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin gradlens \
    && install --directory --owner=gradlens --group=gradlens /data
COPY --from=build /opt/gradlens /opt/gradlens
USER gradlens
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/v1/health', timeout=2)"]
CMD ["gradlens", "serve", "--host", "0.0.0.0", "--port", "8000"]
