"""The page's files: found inside their folder only, tagged, compressed, under a strict policy."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import httpx
import pytest

from server.http.headers import content_security_policy
from server.http.pages import Assets
from server.page_folder import COMMENTS, without_comments


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    """A small page with a secret beside it."""
    page = tmp_path / "page"
    (page / "view").mkdir(parents=True)
    (page / "index.html").write_text(
        '<script type="importmap">{"imports": {"a": "./a.js"}}</script>' + " " * 500
    )
    (page / "view" / "graph.js").write_text("export const answer = 42;")
    (page / ".hidden.js").write_text("secret")
    (page / "key.pem").write_text("secret")
    (tmp_path / "secret.js").write_text("secret")
    (page / "link.js").symlink_to(tmp_path / "secret.js")
    return Assets(page)


def test_a_file_in_a_folder_of_the_page_is_found(assets: Assets) -> None:
    asset = assets.get("view/graph.js")
    assert asset is not None
    assert asset.plain.body == b"export const answer = 42;"
    assert (b"content-type", b"text/javascript; charset=utf-8") in asset.plain.headers


@pytest.mark.parametrize(
    "name",
    [
        "../secret.js", "view/../../secret.js", "/etc/passwd", "link.js", ".hidden.js", "key.pem", "view", "",
        "no.js", "a\0.js",
    ],
)  # fmt: skip
def test_nothing_outside_the_page_is_found(assets: Assets, name: str) -> None:
    assert assets.get(name) is None


def test_changes_are_looked_for_once_a_second(assets: Assets) -> None:
    before = assets.version
    assets.keep_up(10)
    (assets.root / "view" / "graph.js").write_text("export const answer = 4321;")
    assets.keep_up(10.9)
    assert assets.version == before
    assets.keep_up(11)
    assert assets.version != before


def test_a_changed_file_is_read_again_under_another_version(assets: Assets) -> None:
    before = assets.version
    (assets.root / "view" / "graph.js").write_text("export const answer = 43;")
    assets.refresh()
    changed = assets.get("view/graph.js")
    assert changed is not None
    assert changed.plain.body == b"export const answer = 43;"
    assert assets.version != before


def test_the_import_map_is_the_one_inline_script_that_may_run(assets: Assets) -> None:
    asset = assets.get("index.html")
    assert asset is not None
    script = f'{{"imports": {{"a": "./assets/{assets.version}/a.js"}}}}'.encode()
    digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
    policy = dict(asset.plain.headers)[b"content-security-policy"].decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy


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
    assert response.headers["cache-control"] == "no-cache"
    again = client.get(response.url, headers={"If-None-Match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get(response.url, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert (plain.content, plain.headers["content-length"]) == (response.content, str(len(response.content)))


@pytest.mark.parametrize("path", ["/", "/docs", "/favicon.svg", "/layout/background/layout_worker.js"])
def test_what_runs_by_itself_comes_with_a_policy(client: httpx.Client, path: str) -> None:
    headers = client.get(httpx.URL(client.base_url).join(path)).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"


def test_a_browser_keeps_the_files_of_this_version_for_good(client: httpx.Client) -> None:
    root = httpx.URL(client.base_url).join("/")
    (address,) = re.findall(r'src="\./(assets/[0-9a-f]{12}/bundle/app-\w+\.js)"', client.get(root).text)
    kept = client.get(root.join(address))
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert kept.content == client.get(root.join(address.split("/", 2)[2])).content
    of_another = client.get(root.join("/assets/0123456789ab/app.js"))
    assert (of_another.status_code, of_another.headers["cache-control"]) == (200, "no-cache")


def test_the_head_of_a_file_has_its_length(client: httpx.Client) -> None:
    root = httpx.URL(client.base_url).join("/")
    head = client.head(root)
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) > 1000


@pytest.mark.parametrize(
    "path", ["/no.js", "/assets/0123456789ab/no.js", "/assets/0123456789ab/", "/../secret"]
)
def test_a_file_that_is_not_there_is_a_problem(client: httpx.Client, path: str) -> None:
    response = client.get(httpx.URL(client.base_url).join(path))
    assert (response.status_code, response.json()["code"]) == (404, "unknown_page")


def test_a_module_is_sent_without_its_comments_and_with_its_lines(tmp_path: Path) -> None:
    text = '// What it does.\nexport const a = 1; // one\n  /**\n   * @param {string} b */\nconst u = "https://x";\n'
    (tmp_path / "vendor").mkdir()
    for name in ("module.js", "vendor/other.js", "text.txt"):
        (tmp_path / name).write_text(text)
    sent = {name: Assets(tmp_path).get(name) for name in ("module.js", "vendor/other.js", "text.txt")}
    module, other, plain = (asset.plain.body.decode() for asset in sent.values() if asset)
    assert module == '\nexport const a = 1; // one\n\n\nconst u = "https://x";\n'
    assert other == plain == text


def test_no_line_of_a_text_in_a_module_is_taken_for_a_comment() -> None:
    for path in (Path(__file__).parents[3] / "frontend").rglob("*.js"):
        module = path.read_bytes()
        inside = [
            found.group()
            for found in COMMENTS.finditer(module)
            if without_comments(module[: found.start()]).replace(rb"\`", b"").count(b"`") % 2
        ]
        assert {"bundle", "vendor"} & set(path.parts) or inside == [], path


BUNDLED = b'<script type="module" async>ask("./")</script>'


@pytest.fixture
def with_bundle(tmp_path: Path) -> Path:
    """A page of one module, and its bundle."""
    files = {"index.html": b"modules", "app.js": b"let a;", "bundle/index.html": BUNDLED, "bundle/a.js": b"a"}
    for name, body in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(body)
    digests = {name: hashlib.sha256(body).hexdigest() for name, body in files.items()}
    manifest = {
        "sources": {name: digest for name, digest in digests.items() if "/" not in name},
        "files": {name.removeprefix("bundle/"): digest for name, digest in digests.items() if "/" in name},
    }
    (tmp_path / "bundle" / "manifest.json").write_text(json.dumps(manifest))
    return tmp_path


def page_of(assets: Assets) -> bytes:
    """The page as it is sent."""
    asset = assets.get("index.html")
    assert asset
    return asset.plain.body


def test_the_page_is_sent_as_its_bundle(with_bundle: Path) -> None:
    assets = Assets(with_bundle)
    script = f'ask("./assets/{assets.version}/")'
    assert page_of(assets) == BUNDLED.replace(b'ask("./")', script.encode())
    asset = assets.get("index.html")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = dict(asset.plain.headers)[b"content-security-policy"].decode() if asset else ""
    assert f"script-src 'self' 'sha256-{digest}';" in policy


def test_who_asks_for_modules_is_sent_modules(with_bundle: Path) -> None:
    assert page_of(Assets(with_bundle, modules=True)) == b"modules"


@pytest.mark.parametrize("changed", ["app.js", "index.html", "bundle/a.js"])
def test_a_bundle_of_other_sources_is_not_sent(with_bundle: Path, changed: str) -> None:
    assets = Assets(with_bundle)
    (with_bundle / changed).write_bytes(b"modules of today")
    assets.refresh()
    assert page_of(assets).startswith(b"modules")


def test_a_bundle_without_one_of_its_files_is_not_sent(with_bundle: Path) -> None:
    (with_bundle / "bundle" / "a.js").unlink()
    assert page_of(Assets(with_bundle)) == b"modules"


def test_the_bundle_is_that_of_the_modules() -> None:
    assert Assets(Path(__file__).parents[3] / "frontend").bundled, "`make bundle` makes it again"
