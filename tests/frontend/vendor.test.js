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
  const own = filesUnder(FRONTEND).filter(
    (name) => !name.startsWith("vendor") && /\.(js|css|html)$/.test(name),
  );
  const foreign = own.filter((name) =>
    /(https?:)?\/\/[a-z]+\.[a-z]/i.test(
      readFileSync(new URL(name, FRONTEND), "utf8").replaceAll("http://www.w3.org/", ""),
    ),
  );
  assert.deepEqual(foreign, []);
});

/** The modules that a module loads at once, itself included. @param {string} file @param {Set<string>} seen */
function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(new URL(file, FRONTEND), "utf8");
  for (const [, path] of source.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";/gm)) {
    closure(new URL(path, new URL(file, "file:///")).pathname.slice(1), seen);
  }
  return seen;
}

test("the page asks at once for the modules that it starts with", () => {
  const html = readFileSync(new URL("index.html", FRONTEND), "utf8");
  const asked = [...html.matchAll(/<link rel="modulepreload" href="\.\/([^"]+)">/g)].map(([, href]) => href);
  const own = [...closure("app.js")].filter((file) => file !== "app.js");
  assert.deepEqual(asked.filter((file) => !file.startsWith("vendor/")).sort(), own.sort());
});
