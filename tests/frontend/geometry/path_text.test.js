import assert from "node:assert/strict";
import test from "node:test";

import { headAt, pathPieces, pathText } from "../../../frontend/geometry/path_text.js";

const ARROW = pathPieces("M0,0 L9,4 L0,8 Z");
const TIP = { x: 9, y: 4 };

test("level and upright lines become lines to places", () => {
  assert.equal(pathText(pathPieces("M6,0H94L100,6V30Z")), "M6,0L94,0L100,6L100,30Z");
});

test("a path is moved with all the places that steer its curves", () => {
  const moved = pathText(pathPieces("M0,0C5,0 5,20 10,20Q1.5,-2 3,4"), ({ x, y }) => ({ x: x + 1, y: y - 1 }));
  assert.equal(moved, "M1,-1C6,-1 6,19 11,19Q2.5,-3 4,3");
});

test("an arrow head at the end of a line to the right keeps its form, its tip at the end", () => {
  assert.equal(headAt(ARROW, TIP, pathPieces("M0,10L50,10"), "end"), "M41,6L50,10L41,14Z");
});

test("at the end of a line that goes down it points down, at its start up", () => {
  const line = pathPieces("M0,0L0,30");
  assert.equal(headAt(ARROW, TIP, line, "end"), "M4,21L0,30L-4,21Z");
  assert.equal(headAt(ARROW, TIP, line, "start"), "M-4,9L0,0L4,9Z");
});

test("it points as the curve arrives, whatever place lies on the end itself", () => {
  assert.equal(headAt(ARROW, TIP, pathPieces("M0,0C0,20 0,30 0,30"), "end"), "M4,21L0,30L-4,21Z");
});
