import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choicesOf,
  guessAt,
  guessKey,
  isAsked,
  judged,
  questionOf,
  stepAhead,
  typedNumbers,
  withGuess,
  withoutGuess,
} from "../../../frontend/state/predicting.js";
import { answered, INITIAL } from "../../../frontend/store.js";
import { CHAIN, STEPS } from "../chain.js";

const WHY = { en: "That is what you get if …", zh: "如果……，就会得到这个值。" };
const PROMPT = { en: "What does exp x send back to x?", zh: "exp x 向 x 传回多少？" };
/** 2 is multiplied by 3; whoever forgets one of the two says the other. */
const PRODUCT = /** @type {import("../../../frontend/types.js").StepQuestion} */ ({
  kind: "number",
  prompt: PROMPT,
  answer: 6,
  choices: [
    { id: "M2", value: 2, why: WHY },
    { id: "M3", value: 3, why: WHY },
    { id: "M6", value: 6, why: WHY, coincides: true },
  ],
});

test("three digits of the answer are enough, and a wrong way is named by its value", () => {
  assert.deepEqual(judged(PRODUCT, "6.01", 6.01), { said: "6.01", isRight: true, way: null });
  assert.equal(judged(PRODUCT, "2", 2).way?.id, "M2");
  assert.equal(judged(PRODUCT, "3", 3).isRight, false);
  assert.deepEqual(judged(PRODUCT, "5", 5), { said: "5", isRight: false, way: null });
});

test("a wrong way that comes within a digit of the answer is told from it by which is nearer", () => {
  const close = { ...PRODUCT, answer: 1.0, choices: [{ id: "M2", value: 1.002, why: WHY }] };
  assert.equal(judged(close, "1", 1).isRight, true);
  assert.equal(judged(close, "1.002", 1.002).way?.id, "M2");
});

test("an answer of 0 is met by 0 alone, and one of two right choices is right", () => {
  assert.equal(judged({ ...PRODUCT, answer: 0 }, "0.001", 0.001).isRight, false);
  assert.equal(judged({ ...PRODUCT, answer: 0 }, "0", 0).isRight, true);
  const ending = { ...PRODUCT, kind: /** @type {const} */ ("ending"), answer: "converge", also_right: ["oscillate"] };
  assert.equal(judged(ending, "it oscillates", "oscillate").isRight, true);
  assert.equal(judged(ending, "it diverges", "diverge").isRight, false);
});

test("numbers are read as learners type them, one or several", () => {
  assert.deepEqual(typedNumbers("2/3"), [2 / 3]);
  assert.deepEqual(typedNumbers("[1, −2]"), [1, -2]);
  assert.deepEqual(typedNumbers("1，2"), [1, 2]);
  assert.equal(typedNumbers("two"), null);
  const pair = { ...PRODUCT, answer: { dtype: "float32", shape: [2], data: [1, -2] }, choices: [] };
  assert.equal(judged(pair, "1, -2", /** @type {any} */ ([1, -2])).isRight, true);
  assert.equal(judged(pair, "1", 1).isRight, false);
});

test("the answer stands among the wrong ones, each once, in the same order every time", () => {
  const choices = choicesOf(PRODUCT);
  assert.deepEqual([...choices].sort(), [2, 3, 6]);
  assert.deepEqual(
    choicesOf({ ...PRODUCT, answer: 2, choices: [{ id: "M1", value: 6, why: WHY }, PRODUCT.choices[1]] }),
    choices,
  );
});

const START = { ...INITIAL, ...answered(INITIAL, CHAIN, { steps: STEPS, values: {} }) };

test("where a lesson begins the next step is asked for, later ones only where that is wanted", () => {
  assert.equal(stepAhead(START)?.index, START.cursor + 1);
  assert.equal(isAsked(START), true);
  assert.equal(isAsked({ ...START, cursor: START.cursor + 1 }), false);
  assert.equal(isAsked({ ...START, cursor: START.cursor + 1, predict: "ask" }), true);
  assert.equal(isAsked({ ...START, cursor: STEPS.length - 1, predict: "ask" }), false);
  assert.equal(isAsked({ ...START, stale: true }), false);
});

test("what was said stays with its step until it is forgotten", () => {
  const step = STEPS[START.cursor + 1];
  const guess = judged(PRODUCT, "2", 2);
  const guesses = withGuess({}, guessKey(START, step), guess);
  const there = { ...START, cursor: step.index, guesses };
  assert.equal(guessAt(there), guess);
  assert.equal(stepAhead({ ...START, guesses }), null);
  assert.equal(guessAt({ ...there, guesses: withoutGuess(guesses, guessKey(START, step)) }), null);
});

test("a browser keeps the latest two hundred guesses", () => {
  let guesses = {};
  for (let k = 0; k < 203; k += 1) guesses = withGuess(guesses, `guess ${k}`, judged(PRODUCT, "6", 6));
  assert.equal(Object.keys(guesses).length, 200);
  assert.equal("guess 2" in guesses, false);
});

test("a step without a question of its own asks for its number, and the closing step for nothing", () => {
  assert.equal(questionOf(STEPS[4])?.answer, STEPS[4].output?.value);
  assert.equal(questionOf({ ...STEPS[4], phase: /** @type {any} */ ("close") }), null);
  assert.equal(questionOf({ ...STEPS[4], question: PRODUCT }), PRODUCT);
});
