"""The page's files: found inside their folder only, tagged, compressed, under a strict policy."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import httpx
import pytest

from server.headers import content_security_policy
from server.pages import Assets


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    """A small page with a secret beside it."""
    page = tmp_path / "page"
    (page / "view").mkdir(parents=True)
    (page / "index.html").write_text('<script type="importmap">{"imports": {}}</script>' + " " * 500)
    (page / "view" / "graph.js").write_text("export const answer = 42;")
    (page / ".hidden.js").write_text("secret")
    (page / "key.pem").write_text("secret")
    (tmp_path / "secret.js").write_text("secret")
    (page / "link.js").symlink_to(tmp_path / "secret.js")
    return Assets(page)


def test_a_file_in_a_folder_of_the_page_is_found(assets: Assets) -> None:
    asset = assets.get("view/graph.js")
    assert asset is not None
    assert asset.body == b"export const answer = 42;"
    assert asset.mime_type == "text/javascript; charset=utf-8"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.js", "view/../../secret.js", "/etc/passwd", "link.js", ".hidden.js", "key.pem", "view", "",
        "no.js", "a\0.js",
    ],
)  # fmt: skip
def test_nothing_outside_the_page_is_found(assets: Assets, name: str) -> None:
    assert assets.get(name) is None


def test_a_changed_file_is_read_again(assets: Assets) -> None:
    assert assets.get("view/graph.js") is not None
    (assets.root / "view" / "graph.js").write_text("export const answer = 43;")
    changed = assets.get("view/graph.js")
    assert changed is not None
    assert changed.body == b"export const answer = 43;"


def test_the_import_map_is_the_one_inline_script_that_may_run(assets: Assets) -> None:
    asset = assets.get("index.html")
    assert asset is not None
    digest = base64.b64encode(hashlib.sha256(b'{"imports": {}}').digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in asset.policy


def test_a_policy_allows_this_host_and_no_other() -> None:
    policy = content_security_policy()
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "http" not in policy
    assert "*" not in policy


@pytest.mark.parametrize("path", ["/", "/docs", "/app.js", "/vendor/swagger-ui/swagger-ui-bundle.js"])
def test_the_page_and_its_files_are_served(client: httpx.Client, path: str) -> None:
    response = client.get(httpx.URL(client.base_url).join(path))
    assert response.status_code == 200
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    again = client.get(response.url, headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304
