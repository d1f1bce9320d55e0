// Levels: one lesson, operation by operation, as mathematics, or node by node, as TensorFlow. Whoever changes the
// level stays where they are: at the step about the same.

import { dataOf } from "../values/format.js";
import { firstStop, isInRun, nodesOf, passesOf, phasesOf, shownBy, stepsInRun } from "./lesson.js";

/** @import { Binding, FrameworkGraph, Level, Lesson, Step } from "../types.js" */
/** @import { State } from "../store.js" */
/** @typedef {{level: Level, steps: readonly Step[], values: Lesson["values"], graph?: FrameworkGraph, reason?: Lesson["reason"]}} LessonAt  at another level than asked where there is none, for a reason; graph: of a framework, whose nodes are its own */
/** @typedef {Partial<Record<Level, LessonAt>>} Lessons */
/**
 * A lesson as it was answered, or why there is none.
 * @typedef {{steps: readonly Step[], values?: Lesson["values"], graph?: FrameworkGraph, reason?: Lesson["reason"], trouble?: State["lessonTrouble"], level?: Level, asked?: Level}} Answered
 */

/** The levels at which a program can be looked at: whatever it is written in, as each framework would build it. A graph file has no text to be written anew. @param {string | undefined} dialect @returns {readonly Level[]} */
export const levelsOf = (dialect) =>
  dialect === "graph" ? ["mathematics", "tensorflow"] : ["mathematics", "tensorflow", "torch", "jax"];

/** The level that is put beside one first. @param {Level} level @returns {Level} */
export const otherLevel = (level) => (level === "tensorflow" ? "torch" : "tensorflow");

/**
 * A program with the nodes of its framework; a gradient arrives where all that comes to its leaf is added up, before it is
 * added to what `.grad` held.
 * @param {import("../types.js").Program} program @param {FrameworkGraph} graph
 */
export function withNodes(program, { nodes, target, names: called }) {
  const names = new Set(nodes.map(({ name }) => name));
  const gradients = program.gradients.map((gradient) => {
    const end = `AccumulateGrad ${gradient.name}`;
    return { ...gradient, tensor: names.has(end) ? `${end}:0` : null };
  });
  const own = target && names.has(target.replace(/:\d+$/, "")) ? target : null;
  const bindings = Object.entries(called).map(
    ([node, name]) => /** @type {Binding} */ ({ name, kind: "tensor", tensor: `${node}:0` }),
  );
  return Object.freeze({ ...program, graph: { nodes }, gradients, target: own, bindings });
}

/** Whether a level is a framework's own, with nodes that are no part of TensorFlow's graph. @param {Level} level @returns {level is "torch" | "jax"} */
export const isFramework = (level) => level === "torch" || level === "jax";

/**
 * The step of another lesson of the same program about the same as a step: the last about one of its nodes, or about
 * a gradient at the same operation; of several passes, in the one that has the same numbers.
 * @param {readonly Step[]} steps @param {number} cursor @param {readonly Step[]} others
 */
export function sameStep(steps, cursor, others) {
  if (cursor < 0 || others.length === 0) return others.length > 0 && steps.length === 0 ? firstStop(others) : others.length - 1;
  if (cursor >= steps.length) return others.length;
  const [first, after] = passAlike(steps, others);
  for (let at = cursor; at >= 0; at -= 1) {
    const found = stepAbout(others.slice(first, after), steps[at]);
    if (found >= 0) return first + found;
  }
  return isForward(steps[cursor]) ? 0 : firstStop(others); // of a framework whose nodes are all its own
}

const NEAR = 1e-4; // relative: numbers of a pass as it was, and as it comes out again

/**
 * Where the pass begins and ends that has the numbers of other steps, of several the one with most of them; the whole
 * lesson where none has.
 * @param {readonly Step[]} steps @param {readonly Step[]} others @returns {[number, number]}
 */
function passAlike(steps, others) {
  const passes = passesOf(phasesOf(others));
  if (passes.length < 2) return [0, others.length];
  const known = numbersIn(steps);
  const rangeOf = (/** @type {number} */ place) =>
    /** @type {[number, number]} */ ([passes[place][0].first, passes[place + 1]?.[0].first ?? others.length]);
  const alike = passes.map((_, place) => commonNumbers(known, numbersIn(others.slice(...rangeOf(place)))));
  const most = Math.max(...alike);
  return most > 0 ? rangeOf(alike.indexOf(most)) : [0, others.length];
}

/**
 * How many nodes have the same numbers; 0 where a single number differs. Of a long tensor what is shown may differ.
 * @param {Numbers} known @param {Numbers} numbers
 */
function commonNumbers(known, numbers) {
  let count = 0;
  for (const [name, own] of numbers) {
    const there = known.get(name);
    if (!there) continue;
    const same = own.length > 0 && own.length === there.length && own.every((number, i) => isNear(number, there[i]));
    if (!same && own.length === 1) return 0;
    if (same) count += 1;
  }
  return count;
}

/** @typedef {ReadonlyMap<string, number[]>} Numbers by node */

/** @param {unknown} value @returns {value is number} */
const isNumber = (value) => typeof value === "number";

/** The numbers that are shown of nodes in the forward pass. @param {readonly Step[]} steps @returns {Numbers} */
const numbersIn = (steps) =>
  new Map(
    steps
      .filter(isForward)
      .flatMap(shownBy)
      .map(([name, value]) => [name, [dataOf(value)].flat(Infinity).filter(isNumber)]),
  );

/** @param {number} a @param {number} b */
const isNear = (a, b) => a === b || Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b));

/** @param {readonly Step[]} others @param {Step} step */
function stepAbout(others, step) {
  if (step.phase === "close") return others.length - 1;
  const nodes = new Set(nodesOf(step));
  const found = others.findLastIndex(
    (other) => isForward(other) === isForward(step) && nodesOf(other).some((node) => nodes.has(node)),
  );
  return found >= 0 || isForward(step)
    ? found
    : others.findLastIndex((other) => !isForward(other) && other.of === step.of && other.phase !== "close");
}

/** @param {Step} step */
const isForward = ({ phase }) => phase === "forward";

/**
 * Take in the lesson at another level; in a run, with that of the update that is walked through.
 * @param {State} now @param {Level} asked @param {LessonAt} lesson @param {readonly Step[] | null} [update] steps of the update's lesson
 * @returns {Partial<State>}
 */
export function atLevel(now, asked, lesson, update = null) {
  const { steps, values, level: stepLevel } = lesson;
  const lessons = { ...now.lessons, [asked]: lesson };
  const start = now.start && { steps, values, cursor: sameStep(now.start.steps, now.start.cursor, steps) };
  if (!isInRun(now) || !start) {
    return {
      ...{ lessons, asked, stepLevel, steps, start, lessonValues: values },
      cursor: sameStep(now.steps, now.cursor, steps),
    };
  }
  const own = stepsInRun(update ?? steps);
  const cursor = now.optimising ? own.length : Math.min(own.length, sameStep(now.steps, now.cursor, own));
  return { ...{ lessons, asked, stepLevel, start, steps: own, cursor }, lessonRow: update ? now.lessonRow : 1 };
}
