// What style sheets may say so that every browser of docs and README understands it.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const PAGE = new URL("../../frontend/", import.meta.url);
const PREFIXED = ["user-select", "text-size-adjust"]; // Safari knows them by another name alone

const names = (await readdir(PAGE, { recursive: true })).filter(
  (name) => name.endsWith(".css") && !/^(bundle|vendor)/.test(name),
);
const sheets = await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, PAGE), "utf8")]));

test("a line beneath a text says its style in a property of its own: Safari leaves out the short form", () => {
  const short = /text-decoration:\s*\w+\s+[^;}]+/g;
  assert.ok(short.test("text-decoration: underline wavy red 1px;"));
  assert.deepEqual(
    sheets.flatMap(([name, text]) => (text.match(short) ?? []).map((found) => `${name}: ${found}`)),
    [],
  );
});

test("what Safari knows by its own name is said by that name, too", () => {
  for (const [name, text] of sheets) {
    for (const property of PREFIXED) {
      const count = (/** @type {RegExp} */ pattern) => (text.match(pattern) ?? []).length;
      const plain = count(new RegExp(`(?<!-)\\b${property}:`, "g"));
      assert.equal(count(new RegExp(`-webkit-${property}:`, "g")), plain, `${name}: ${property}`);
    }
  }
});

test("a page in a browser that is too old says so, in both languages, and is hidden where it is not", async () => {
  const page = await readFile(new URL("index.html", PAGE), "utf8");
  const [, words] = page.match(/<p class="too-old">(.*?)<\/p>/s) ?? [];
  assert.match(words, /Safari 17\.5.*这个浏览器版本过旧.*Safari 17\.5/s);
  const styles = await readFile(new URL("styles.css", PAGE), "utf8");
  assert.match(
    styles,
    /@supports \(color: light-dark\(red, red\)\) and selector\(:popover-open\) \{ \.too-old \{ display: none; \} \}/,
  );
});
