// Who races, what is asked for them, and how each of them ended.

import { FIRST_SETTINGS, OWN, requestOf } from "../runs/optimizers.js";

/** @import { Data, Problem } from "../types.js" */
/** @typedef {{readonly name: string, readonly rate: number, readonly parameters: Readonly<Record<string, unknown>>, readonly start: Readonly<Record<string, number>> | null}} Contender  `start` null: as the page's variables are */
/** @typedef {{readonly contenders: readonly Contender[] | null, readonly steps: number, readonly scale: "linear" | "log"}} RaceSettings */
/** @typedef {{steps: number[], loss: Data[], variables: Record<string, Data[]>}} RaceColumns */
/** @typedef {{status: string, stopped_at: {step: number} | null, columns: RaceColumns}} RaceRun */
/** @typedef {{id: string, steps: number, runs: RaceRun[]}} RaceAnswer */
/** @typedef {{key: string, contenders: readonly Contender[], answer: RaceAnswer | null, problem: Problem | null}} RaceFound */
/** @typedef {"converged" | "diverged" | "non_finite" | "limit" | "oscillates" | "on_its_way"} EndingKind */

export const MOST_CONTENDERS = 6;
const SWINGS = 8; // updates that each go back where the one before came from
const KEPT = 0.9; // of their length that they keep meanwhile
const REACHED = 0.01; // of the way to the lowest loss is left

/** A first field of racers: one optimizer with two rates, and two others. @param {number} rate @returns {Contender[]} */
export const firstContenders = (rate) => [
  contender("GradientDescent", rate),
  contender("GradientDescent", Number((rate / 10).toPrecision(4))),
  contender("Momentum", rate, { momentum: 0.9 }),
  contender("Adam", 0.1),
];

/** @param {string} name @param {number} rate @param {Record<string, unknown>} [parameters] @returns {Contender} */
export const contender = (name, rate, parameters = {}) => ({ name, rate, parameters, start: null });

/** The optimizer's settings that are a contender's. @param {Contender} contender */
export const settingsOf = ({ name, rate, parameters }) => ({
  ...FIRST_SETTINGS,
  name,
  ...(name === OWN ? { ownRate: rate } : { rate }),
  parameters,
});

/** @param {readonly Contender[]} contenders @param {number} steps @param {import("../types.js").ProgramRequest} program */
export function raceQuestion(contenders, steps, program) {
  const runs = contenders.map((each) => ({ ...requestOf(settingsOf(each)), ...(each.start && { start: each.start }) }));
  const asked = { program, steps, runs };
  return { asked, key: JSON.stringify(asked) };
}

/** @param {RaceRun} run @returns {EndingKind} */
export function endingOf(run) {
  const { status } = run;
  if (status === "converged" || status === "diverged" || status === "non_finite" || status === "limit") return status;
  return isSwinging(Object.values(run.columns.variables)) ? "oscillates" : "on_its_way";
}

/** Whether the last updates lead to and fro without becoming shorter. @param {Data[][]} columns */
function isSwinging(columns) {
  const rows = columns[0]?.length ?? 0;
  if (rows <= SWINGS) return false;
  const row = (/** @type {number} */ k) => columns.flatMap((column) => [column[k]].flat(Infinity)).map(Number);
  const moves = Array.from({ length: SWINGS }, (_, k) => {
    const before = row(rows - SWINGS - 1 + k);
    return row(rows - SWINGS + k).map((value, place) => value - before[place]);
  });
  const product = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
  const lengths = moves.map((move) => Math.sqrt(product(move, move)));
  const turnsBack = moves.slice(1).every((move, k) => product(move, moves[k]) < -0.5 * lengths[k] * lengths[k + 1]);
  return turnsBack && lengths[0] > 0 && lengths[SWINGS - 1] >= KEPT * lengths[0];
}

/** The losses that are numbers. @param {RaceRun} run */
const finite = ({ columns: { loss } }) => loss.filter((each) => typeof each === "number");

/** The loss at which a run counts as there: nearly as low as the lowest of all came; null where there is no loss. @param {readonly RaceRun[]} runs */
export function goalOf(runs) {
  const all = runs.flatMap(finite);
  if (all.length === 0) return null;
  const lowest = all.reduce((least, loss) => Math.min(least, loss));
  const first = runs.reduce((most, run) => Math.max(most, finite(run)[0] ?? -Infinity), -Infinity);
  return lowest + REACHED * (first - lowest);
}

/** The first step at which a run was there; null for never. @param {RaceRun} run @param {number | null} goal */
export function stepsTo({ columns: { loss } }, goal) {
  const row = loss.findIndex((each) => typeof each === "number" && goal !== null && each <= goal);
  return row < 0 ? null : row;
}
