import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";

const FRONTEND = new URL("../../frontend/", import.meta.url);
const VENDOR = new URL("vendor/", FRONTEND);
/** @type {{packages: {name: string, version: string, license: string}[], sha256: Record<string, string>}} */
const manifest = JSON.parse(readFileSync(new URL("manifest.json", VENDOR), "utf8"));

/** Every file under a folder. @param {URL} folder @returns {string[]} paths from it */
const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(new URL(name, folder)).isFile());

test("every vendored file is the one in the manifest", () => {
  for (const file of filesUnder(VENDOR).filter((name) => name !== "manifest.json")) {
    const digest = createHash("sha256")
      .update(readFileSync(new URL(file, VENDOR)))
      .digest("hex");
    assert.equal(digest, manifest.sha256[file], file);
  }
});

test("every vendored package has a version and its licence beside it", () => {
  for (const { name, version, license } of manifest.packages) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.ok(license, name);
    assert.ok(manifest.sha256[`licenses/${name.replace("/", "__")}.txt`], name);
  }
});

test("no module or style of ours names another host", () => {
  const own = filesUnder(FRONTEND).filter((name) => !/^(bundle|vendor)/.test(name) && /\.(js|css|html)$/.test(name));
  const foreign = own.filter((name) =>
    /(https?:)?\/\/[a-z]+\.[a-z]/i.test(readFileSync(new URL(name, FRONTEND), "utf8").replaceAll("http://www.w3.org/", "")),
  );
  assert.deepEqual(foreign, []);
});

/** The modules that a module imports at once. @param {string} file */
const imported = (file) =>
  [...readFileSync(new URL(file, FRONTEND), "utf8").matchAll(AT_ONCE)].map(([, path]) =>
    new URL(path, new URL(file, "file:///")).pathname.slice(1),
  );
const AT_ONCE = /^(?:import|export)\b[^;]*?"(\.[^"]+)";/gm;
/** The modules that a module loads at once, itself included. @param {string} file @param {Set<string>} seen */
function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const each of imported(file)) closure(each, seen);
  return seen;
}

/** What the page asks for at once, in order: its scripts and the modules that they need. */
const html = readFileSync(new URL("index.html", FRONTEND), "utf8");
const asked = [...html.matchAll(/<(?:script type="module"[^>]* src|link rel="modulepreload" href)="\.\/([^"]+)"/g)].map(
  ([, href]) => href,
);
const [first, started] = [closure("requests/prefetch.js"), closure("app.js")];

test("the page asks first for what asks the server", () => {
  assert.deepEqual(asked.slice(0, first.size).sort(), [...first].sort());
});

test("then it asks for the modules of its first frame, and for no others", () => {
  const ours = asked.filter((file) => !file.startsWith("vendor/"));
  assert.deepEqual(ours.sort(), [...new Set([...first, ...started])].sort());
});
