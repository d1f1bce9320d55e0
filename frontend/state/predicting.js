// Predict, then reveal: what is asked before a step is shown, and what an answer to it shows. Nothing is scored.
//
// A question belongs to the step that answers it. Where the server has none, a step with a single number asks for it.

import { dataOf } from "../values/format.js";
import { typedNumber } from "../values/typed.js";
import { firstStop, isInRun } from "./lesson.js";

/** @import { State } from "../store.js" */
/** @import { Step, StepQuestion, Value, WrongWay } from "../types.js" */
/** @typedef {{said: string, isRight: boolean, way: WrongWay | null}} Guess  `way`: the wrong way that leads to what was said */

const TOLERANCE = 0.005; // of the answer: three digits are enough
const MOST_GUESSES = 200; // that a browser keeps

/** What a step asks before it is shown; null where it asks nothing. @param {Step | undefined} step @returns {StepQuestion | null} */
export function questionOf(step) {
  if (!step) return null;
  if (step.question) return step.question;
  const value = dataOf(step.output?.value ?? null);
  if (step.phase === "close" || typeof value !== "number") return null;
  return { kind: "number", prompt: null, answer: value, choices: [] };
}

/** The step whose question is open; null where there is none, or its answer is another update's. @param {State} now @returns {Step | null} */
export function stepAhead(now) {
  const { steps, cursor, lessonRow, row, optimising, stale } = now;
  if (stale || optimising || cursor < 0 || (isInRun(now) && lessonRow !== row)) return null;
  const step = steps[cursor + 1];
  return step && questionOf(step) && !(guessKey(now, step) in now.guesses) ? step : null;
}

/** Whether the learner is asked: always, once it was asked for; where a lesson begins, in any case. @param {State} now */
export const isAsked = (now) => stepAhead(now) !== null && (now.predict === "ask" || isStart(now));

/** @param {State} now */
const isStart = (now) => !isInRun(now) && now.cursor === firstStop(now.steps);

/** Under which name a guess is kept: program, level, update and step. @param {State} now @param {Step} step */
export function guessKey({ program, source, stepLevel, lessonRow, row, run, at }, step) {
  const update = isInRun({ run, row }) ? lessonRow : 0;
  return [program?.id ?? `${source} ${JSON.stringify(at)}`, stepLevel, update, step.index].join("|");
}

/** What was said before the step that is shown. @param {State} now @returns {Guess | null} */
export function guessAt(now) {
  const step = now.steps[now.cursor];
  return (step && !now.optimising && now.guesses[guessKey(now, step)]) || null;
}

/** Keep one more guess; the oldest goes where there are too many. @param {State["guesses"]} guesses @param {string} key @param {Guess} guess */
export const withGuess = (guesses, key, guess) =>
  Object.freeze(Object.fromEntries([...Object.entries(withoutGuess(guesses, key)), [key, guess]].slice(-MOST_GUESSES)));

/** @param {State["guesses"]} guesses @param {string} key @returns {State["guesses"]} */
export const withoutGuess = (guesses, key) => Object.fromEntries(Object.entries(guesses).filter(([each]) => each !== key));

/**
 * What an answer shows: whether it is right, and of a wrong one which wrong way leads to it.
 * @param {StepQuestion} question @param {string} said @param {Value} value as it is compared @returns {Guess}
 */
export function judged({ answer, also_right: others = [], choices }, said, value) {
  const isRight = [answer, ...others].some((right) => isNear(value, right));
  const ways = choices.filter((way) => !way.coincides && isNear(value, way.value));
  const way = ways.find((each) => distance(value, each.value) < distance(value, answer)) ?? null;
  return isRight && !way ? { said, isRight: true, way: null } : { said, isRight: false, way };
}

/** The numbers that a text holds, as a learner types them: "3", "2/3", "1, 2", "[1, 2]"; null of anything else. @param {string} text @returns {number[] | null} */
export function typedNumbers(text) {
  const parts = text
    .replaceAll("，", ",")
    .replace(/[[\]]/g, " ")
    .split(/[,;；]/)
    .map((part) => typedNumber(part.trim()));
  return parts.every((part) => part !== null) ? /** @type {number[]} */ (parts) : null;
}

/** All numbers of a value in order; a text alone. @param {Value | number[]} value @returns {unknown[]} */
const flat = (value) => [/** @type {unknown} */ (Array.isArray(value) ? value : dataOf(value))].flat(Infinity);

/** Whether two values are the same as far as three digits say. @param {Value | number[]} said @param {Value} right */
function isNear(said, right) {
  const [a, b] = [flat(said), flat(right)];
  return (
    a.length === b.length &&
    a.every((each, i) => each === b[i] || Math.abs(Number(each) - Number(b[i])) <= TOLERANCE * size(b[i]))
  );
}

/** What a difference is measured by; of 0 it is next to nothing. @param {unknown} number */
const size = (number) => Math.abs(Number(number)) || 1e-6;

/** How far two values lie apart. @param {Value | number[]} said @param {Value} right */
function distance(said, right) {
  const [a, b] = [flat(said), flat(right)];
  if (a.length !== b.length) return Infinity;
  return Math.max(...a.map((each, i) => (each === b[i] ? 0 : Math.abs(Number(each) - Number(b[i])) || 0)));
}

/**
 * The answer among the wrong ones, in an order that says nothing: that of their texts.
 * @param {StepQuestion} question @returns {Value[]}
 */
export function choicesOf({ answer, choices }) {
  const texts = new Map([answer, ...choices.map(({ value }) => value)].map((value) => [String(dataOf(value)), value]));
  return [...texts].sort(([a], [b]) => scattered(a) - scattered(b)).map(([, value]) => value);
}

/** A number that follows from a text, and from nothing that a learner sees in it. @param {string} text */
const scattered = (text) => Array.from(text).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7);
