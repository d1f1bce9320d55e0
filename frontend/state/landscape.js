// What is drawn of a target: its axes, and the question that a picture answers.

import { dataOf, shapeOf } from "../values/format.js";

/** @import { Program, Problem } from "../types.js" */
/** @typedef {{readonly variable: string | null, readonly index: readonly number[], readonly direction: string | null, readonly from: number, readonly to: number}} Axis */
/**
 * @typedef {object} LandscapeSettings
 * @property {readonly Axis[] | null} axes  null: as suits the program
 * @property {string} of                    the text that they were laid for
 * @property {boolean} isSurface            seen from the side
 * @property {number} around                from where, in degrees
 * @property {number} above
 * @property {boolean} hasArrows
 * @property {boolean} hasPaths             of the race
 */
/** @typedef {{key: string, answer: import("../charts/grid.js").LandscapeFacts | null, grid: import("../charts/grid.js").Grid | null, problem: Problem | null, coming: {done: number, bands: number, isSketched?: boolean} | null}} LandscapeFound  coming: how many bands are there of one that is still computed; the rest may be a sketch */
/** @typedef {{variable: string, index: number[], value: number}} TargetNumber  that the target depends on */

const DIRECTIONS = ["hessian", "random", "trajectory"];
const MOST_NUMBERS = 60; // to choose from
const LEAST_REACH = 2;
const COUNTS = [601, 97]; // points along an axis, of a curve and of a surface

/** The single numbers of the variables that a program's target depends on. @param {Program} program @returns {TargetNumber[]} */
export function numbersOf(program) {
  return program.gradients.flatMap(({ name, x }) => {
    const binding = program.bindings.find((each) => each.name === name || each.tensor === x);
    const node = program.graph.nodes.find((each) => each.name === x.replace(/:\d+$/, ""));
    return single(name, [], dataOf(binding?.value ?? node?.value));
  });
}

/** @param {string} variable @param {number[]} index @param {unknown} data @returns {TargetNumber[]} */
function single(variable, index, data) {
  if (typeof data === "number") return [{ variable, index, value: data }];
  if (!Array.isArray(data) || shapeOf(data).length + index.length > 4) return [];
  return data
    .slice(0, MOST_NUMBERS)
    .flatMap((each, k) => single(variable, [...index, k], each))
    .slice(0, MOST_NUMBERS);
}

/** What an axis can be: a number, or with more than one of them a direction. @param {Program} program */
export function choicesOf(program) {
  const numbers = numbersOf(program);
  const names = numbers.map(({ variable, index }) => nameOf({ variable, index, direction: null }));
  return [...names, ...(numbers.length > 1 ? DIRECTIONS : [])];
}

/** @param {Pick<Axis, "variable" | "index" | "direction">} axis */
export const nameOf = ({ variable, index, direction }) =>
  direction ?? (index.length > 0 ? `${variable}[${index.join(", ")}]` : `${variable}`);

/** An axis of this name, around the present value. @param {Program} program @param {string} name @returns {Axis} */
export function axisCalled(program, name) {
  const found = numbersOf(program).find((each) => nameOf({ ...each, direction: null }) === name);
  if (!found) return { variable: null, index: [], direction: name, from: -1, to: 1 };
  const reach = Number(Math.max(LEAST_REACH, 1.5 * Math.abs(found.value)).toPrecision(3));
  return { variable: found.variable, index: found.index, direction: null, from: -reach, to: reach };
}

/** The axes of a picture that nobody has chosen. @param {Program} program */
export const firstAxes = (program) =>
  choicesOf(program)
    .filter((name) => !DIRECTIONS.includes(name))
    .slice(0, 2)
    .map((name) => axisCalled(program, name));

/** The axes as they are, where the program still has them; else new ones. @param {LandscapeSettings} settings @param {Program} program @param {string} text */
export function axesFor({ axes, of }, program, text) {
  const choices = choicesOf(program);
  const fits = axes !== null && axes.length > 0 && axes.every((axis) => choices.includes(nameOf(axis)));
  if (fits && (of === text || of === "")) return axes;
  if (fits && axes.length === Math.min(2, choices.length) && contains(axes, program)) return axes;
  const first = firstAxes(program);
  return axes?.length === 0 && first.length === 0 ? axes : first; // none stay as they are: others would be laid again and again
}

/** @param {readonly Axis[]} axes @param {Program} program */
const contains = (axes, program) =>
  axes.every(({ variable, index, direction, from, to }) => {
    const found = numbersOf(program).find((each) => each.variable === variable && `${each.index}` === `${index}`);
    return direction !== null || (found !== undefined && found.value >= from && found.value <= to);
  });

/** Closer to the middle, or farther from it. @param {Axis} axis @param {number} factor @param {number} [middle] @returns {Axis} */
export function zoomed(axis, factor, middle = (axis.from + axis.to) / 2) {
  const round = (/** @type {number} */ end) => Number(end.toPrecision(6));
  return { ...axis, from: round(middle + (axis.from - middle) * factor), to: round(middle + (axis.to - middle) * factor) };
}

/**
 * The question, and what it is known by: values along the axes make no difference to it.
 * @param {readonly Axis[]} axes @param {import("../types.js").ProgramRequest} program @param {object} run for the directions of a run
 */
export function questionOf(axes, program, run) {
  const asked = {
    program,
    axes: axes.map(({ variable, index, direction, from, to }) => ({
      ...(direction ? { direction } : { variable, index }),
      from,
      to,
      count: COUNTS[axes.length - 1],
    })),
    gradient: true,
    encoding: "base64",
    ...(axes.some(({ direction }) => direction !== null) && { run }),
  };
  const along = new Set(axes.flatMap(({ variable, index }) => (variable && index.length === 0 ? [variable] : [])));
  const at = Object.entries(program.at ?? {}).filter(([name]) => !along.has(name));
  return { asked, key: JSON.stringify({ ...asked, program: { ...program, at } }) };
}
