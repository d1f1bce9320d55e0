// Which optimizer is meant, with what settings, and how a run is asked for with them.

import { dataOf } from "../values/format.js";

/** @import { OptimizerDoc, Program } from "../types.js" */
/** @typedef {"none" | "clip_by_norm" | "clip_by_value" | "clip_by_global_norm" | "scale"} Process */
/** @typedef {Readonly<Record<string, unknown>>} Chosen  what was chosen, by parameter */
/**
 * @typedef {object} OptimizerSettings
 * @property {string} name        an optimizer of the catalogue; "own": as the program builds it
 * @property {number} rate
 * @property {number | null} ownRate   in place of the program's own rate
 * @property {Chosen} parameters  of the optimizer
 * @property {Process} process
 * @property {number} limit       of the process
 * @property {string} schedule    "none" for a constant rate
 * @property {Chosen} timing      of the schedule
 */

export const OWN = "own";
const CLIPS = new Set(["clip_by_norm", "clip_by_value", "clip_by_global_norm"]);
const OPTION = / *\\;\\text\{\((\w+)\)\}$/;
const RATES = new Set(["learning_rate", "lr"]); // what the program's graph calls it

/** Settings of a schedule that has none of its own to begin with. */
const FIRST_TIMING = Object.freeze({
  decay_steps: 100,
  first_decay_steps: 50,
  decay_rate: 0.5,
  warmup_steps: 10,
  boundaries: [50],
  values: [0.1, 0.01],
});

/** @type {OptimizerSettings} */
export const FIRST_SETTINGS = Object.freeze({
  name: "GradientDescent",
  rate: 0.01,
  ownRate: null,
  parameters: {},
  process: "none",
  limit: 5,
  schedule: "none",
  timing: {},
});

/** Whether a process only cuts what is too large. @param {string} process */
export const isClip = (process) => CLIPS.has(process);

/**
 * The parameters of an optimizer or a schedule besides the rate, each with its present value.
 * @param {OptimizerDoc | undefined} doc @param {Chosen} chosen
 */
export const parametersOf = (doc, chosen) =>
  (doc?.hyper_parameters ?? [])
    .filter(({ name }) => !RATES.has(name))
    .map((parameter) => ({
      ...parameter,
      value: chosen[parameter.name] ?? parameter.default ?? /** @type {Chosen} */ (FIRST_TIMING)[parameter.name],
    }));

/** A schedule as it is first asked for, its parameters filled in. @param {OptimizerDoc | undefined} doc */
export const firstTiming = (doc) => Object.fromEntries(parametersOf(doc, {}).map(({ name, value }) => [name, value]));

/**
 * An update's lines in LaTeX. One that ends in the name of an option stands in place of the line before it where the
 * option is on, and is left out where it is off; where that is not known, both are there.
 * @param {readonly string[]} lines @param {Chosen} parameters
 */
export function latexOf(lines, parameters) {
  const isOn = (/** @type {string} */ option) =>
    Object.entries(parameters).find(([name]) => name.endsWith(option.toLowerCase()))?.[1];
  /** @type {string[]} */
  const kept = [];
  for (const line of lines) {
    const [whole, option] = OPTION.exec(line) ?? ["", ""];
    const on = option ? isOn(option) : undefined;
    if (on === true) kept.splice(-1, 1, line.slice(0, -whole.length));
    else if (on === undefined) kept.push(line);
  }
  return kept;
}

/**
 * The fields of a run's request that the settings decide.
 * @param {OptimizerSettings} settings
 * @returns {Pick<import("../types.js").RunRequest, "optimizer" | "process" | "schedule">}
 */
export function requestOf({ name, rate, ownRate, parameters, process, limit, schedule, timing }) {
  const own = ownRate === null ? {} : { optimizer: { learning_rate: ownRate } };
  return {
    ...(name === OWN ? own : { optimizer: { name, learning_rate: rate, ...parameters } }),
    process: process === "none" ? [] : [{ [process]: limit }],
    ...(schedule !== "none" && { schedule: { name: schedule, ...timing } }),
  };
}

/**
 * What the program's own optimizer is called and what it was given, and whether the program processes its gradients;
 * null without one.
 * @param {Program} program
 * @returns {{name: string, rate: number | null, parameters: Record<string, unknown>, isProcessed: boolean} | null}
 */
export function ownOptimizer({ graph: { nodes } }) {
  const apply = nodes.find(({ op, phase, name }) => phase === "update" && op.includes("Apply") && name.includes("/update_"));
  if (!apply) return null;
  const scope = apply.name.slice(0, apply.name.indexOf("/update_") + 1);
  const constants = nodes.filter(({ op, name }) => op === "Const" && name.startsWith(scope) && apply.inputs.includes(name));
  const given = constants.map(({ name, value }) => [name.slice(scope.length), dataOf(value)]);
  const rate = given.find(([name]) => RATES.has(String(name)))?.[1];
  return {
    name: apply.op
      .replace(/^.*Apply/, "")
      .replace(/^Keras/, "keras.")
      .replace(/^Torch(Plain)?/, "torch.optim."),
    rate: typeof rate === "number" ? Number(rate.toPrecision(6)) : null,
    parameters: Object.fromEntries(given.filter(([name]) => !RATES.has(String(name)))),
    isProcessed: nodes.some(({ phase }) => phase === "process"),
  };
}

/** Whether the program itself processes the gradients that are meant. @param {OptimizerSettings} settings @param {Program | null} program */
export const isProcessedByProgram = ({ name }, program) =>
  name === OWN && program !== null && Boolean(ownOptimizer(program)?.isProcessed);

/**
 * The rate that is meant, in place of the program's own where that is moved; null where the program changes it itself.
 * @param {OptimizerSettings} settings @param {Program | null} program
 */
export const rateOf = ({ name, rate, ownRate }, program) =>
  name === OWN ? (ownRate ?? (program && ownOptimizer(program)?.rate) ?? null) : rate;

/** Another rate of whichever optimizer is chosen. @param {OptimizerSettings} settings @param {number} rate */
export const withRate = ({ name }, rate) => (name === OWN ? { ownRate: rate } : { rate });

/**
 * The rate of plain gradient descent, whose update is x ← x − η g; null of any other optimizer.
 * @param {OptimizerSettings} settings @param {Program | null} program
 */
export function plainRate(settings, program) {
  const own = settings.name === OWN && program ? ownOptimizer(program) : null;
  const { name, parameters } = own ?? settings;
  const plain = name === "GradientDescent" || (name === "keras.SGD" && !parameters.momentum);
  return plain && settings.schedule === "none" ? rateOf(settings, program) : null;
}
