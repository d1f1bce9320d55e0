import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { firstLanguage, inLanguage, languageIn, translator } from "../../../frontend/i18n/i18n.js";
import { WORDS } from "../../../frontend/panels/course/words.js";

const FRONTEND = new URL("../../../frontend/", import.meta.url);
const read = (/** @type {string} */ file) => readFileSync(new URL(file, FRONTEND), "utf8");
/** @type {Record<string, string>} */
const english = JSON.parse(read("i18n/en.json"));
/** @type {Record<string, string>} */
const chinese = JSON.parse(read("i18n/zh-CN.json"));
const PLURAL = /\.(one|other)$/;

/** Keys without their plural ending. @param {Record<string, string>} catalogue */
const keysOf = (catalogue) => [...new Set(Object.keys(catalogue).map((key) => key.replace(PLURAL, "")))].sort();

/** @param {string} text */
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

test("both languages say the same things", () => {
  assert.deepEqual(keysOf(chinese), keysOf(english));
});

test("the gallery and its card have all their words in both languages", () => {
  assert.deepEqual(keysOf(WORDS["zh-CN"]), keysOf(WORDS.en));
  for (const file of ["gallery.js", "card.js"])
    for (const [, key] of read(`panels/course/${file}`).matchAll(/\bsay\("([\w.]+)"/g))
      assert.ok(keysOf(WORDS.en).includes(key), key);
  for (const text of Object.values(WORDS["zh-CN"])) assert.doesNotMatch(text, /[\u4e00-\u9fff][,;:?!]/);
});

test("an address asks for a language by its first letters", () => {
  assert.equal(languageIn("?lang=zh"), "zh-CN");
  assert.equal(languageIn("?example=g12&lang=en-GB"), "en");
  assert.equal(languageIn("?lang=fr"), null);
  assert.equal(languageIn(""), null);
});

test("both languages fill in the same numbers and names", () => {
  for (const key of Object.keys(chinese)) assert.deepEqual(placeholders(chinese[key]), placeholders(english[key]), key);
});

test("every word that the panels ask for is in the catalogue", () => {
  const sources = readdirSync(new URL("panels/", FRONTEND), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".js"))
    .map((file) => read(`panels/${file}`));
  const asked = sources.flatMap((source) => [...source.matchAll(/\bt\("([\w.]+)"/g)].map((match) => match[1]));
  assert.ok(asked.length > 40);
  assert.deepEqual(
    asked.filter((key) => !keysOf(english).includes(key)),
    [],
  );
});

test("no mistranslation of gradient, tape or differentiation gets in", () => {
  assert.doesNotMatch(Object.values(chinese).join("\n"), /渐变|色带|区分|差异化/);
});

test("Chinese sentences use full-width punctuation", () => {
  for (const [key, text] of Object.entries(chinese)) assert.doesNotMatch(text, /[\u4e00-\u9fff][,;:?!]/, key);
});

test("a text is filled in and takes the plural of its number", () => {
  const t = translator({ "step.one": "{count} step", "step.other": "{count} steps", hello: "Hello {name}" }, "en");
  assert.equal(t("hello", { name: "x" }), "Hello x");
  assert.equal(t("step", { count: 1 }), "1 step");
  assert.equal(t("step", { count: 2 }), "2 steps");
  assert.equal(t("missing"), "missing");
});

test("a number in a text is written as the page writes numbers", () => {
  const t = translator({ "step.one": "{count} step", "step.other": "{count} steps" }, "en", (value) => `<${value}>`);
  assert.equal(t("step", { count: 1 }), "<1> step");
  assert.equal(t("step", { count: 2000 }), "<2000> steps");
});

test("the first language is the kept one, else the browser's", () => {
  assert.equal(firstLanguage("en", ["zh-CN"]), "en");
  assert.equal(firstLanguage(null, ["zh-TW"]), "zh-CN");
  assert.equal(firstLanguage(null, ["fr"]), "en");
});

test("Chinese falls back on English where an answer has no Chinese", () => {
  assert.equal(inLanguage("zh-CN", "sum", undefined), "sum");
  assert.equal(inLanguage("zh-CN", "sum", "和"), "和");
});
