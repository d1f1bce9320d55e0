// slow: bundles the page
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The files of a bundle, by name. @param {string} root */
function bundleIn(root) {
  const folder = path.join(root, "frontend/bundle");
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
}

test("bundled anew, the page's modules give the same bytes", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "bundle-"));
  try {
    for (const name of ["frontend", "scripts", "package.json", "tsconfig.json"]) {
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
    execFileSync(process.execPath, [path.join(copy, "scripts/bundle.mjs")]);
    assert.deepEqual(bundleIn(copy), bundleIn(ROOT));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
