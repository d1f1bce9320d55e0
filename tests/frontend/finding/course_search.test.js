import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { foundIn, plain } from "../../../frontend/finding/course_search.js";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
const read = (/** @type {string} */ file) => readFileSync(new URL(file, EXAMPLES), "utf8");
/** @type {any[]} */
const index = JSON.parse(read("index.json"));
const examples = index.map((entry) => ({ ...JSON.parse(read(`course/${entry.id}.json`)), ...entry, source: read(entry.file) }));
const course = { examples, ...JSON.parse(read("course/course.json")) };

/** The examples that a query finds. @param {string} query */
const found = (query) => foundIn(course, query).flatMap((group) => group.examples.map(({ id }) => id));

test("without a query everything is there, group by group", () => {
  assert.deepEqual(found("").sort(), index.map(({ id }) => id).sort());
  assert.equal(foundIn(course, " ")[0].group.id, "first");
});

test("English, Simplified and Traditional Chinese find the same", () => {
  for (const [simplified, traditional] of [
    ["计算图", "計算圖"],
    ["链式法则", "鏈式法則"],
    ["学习率", "學習率"],
    ["梯度带", "梯度帶"],
    ["优化器赛跑", "優化器賽跑"],
    ["数值微分", "數值微分"],
    ["舍入误差", "舍入誤差"],
  ]) {
    assert.deepEqual(found(traditional), found(simplified), traditional);
    assert.ok(found(simplified).length > 0, simplified);
  }
  assert.ok(found("chain rule").includes("g01"));
});

test("other ways to say a thing lead to it", () => {
  assert.deepEqual(found("锁链规则"), found("链式法则"));
  assert.deepEqual(found("表達式爆炸"), found("表达式膨胀"));
  assert.ok(found("表达式爆炸").includes("g18"));
  assert.deepEqual(found("computer_gradients"), found("compute_gradients"));
});

test("every word has to occur, in any place and any case", () => {
  assert.deepEqual(found("CLIP norm direction").includes("g08"), true);
  assert.deepEqual(found("clip 鸭子"), []);
  assert.deepEqual(found("g12"), ["g12"]);
});

test("every character of the course that has a traditional form is in the table", () => {
  const texts =
    readdirSync(new URL("course/", EXAMPLES))
      .map((file) => read(`course/${file}`))
      .join("") + read("index.json");
  const source = readFileSync(new URL("../../../frontend/finding/course_search.js", import.meta.url), "utf8");
  const big5 = new TextDecoder("big5");
  const traditional = new Set();
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) traditional.add(big5.decode(new Uint8Array([lead, trail])));
  const simplifiedOnly = new Set((texts.match(/[\u4e00-\u9fff]/g) ?? []).filter((each) => !traditional.has(each)));
  assert.ok(simplifiedOnly.size > 100);
  assert.deepEqual(
    [...simplifiedOnly].filter((each) => !source.includes(each)),
    [],
  );
});

test("a text is compared in small letters and simplified characters", () => {
  assert.equal(plain("ＧradientTape 計算圖"), "gradienttape 计算图");
});
