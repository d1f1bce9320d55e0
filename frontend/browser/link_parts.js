// What a link holds besides its text and look: how far the page is, and what the tools of the dock were asked.
//
// It comes from anybody. Each part is taken whole where all in it is of the kind and size it should be, else left out.

import { LANGUAGES } from "../i18n/i18n.js";
import { MOST_KEPT } from "../runs/kept.js";
import { areTableLooks } from "../state/tables.js";

/** @typedef {(value: any) => boolean} Check */

const MOST_UPDATES = 10_000; // that a link makes again, and that a race takes
const MOST_CONTENDERS = 6;
const MOST_TEXT = 10_000; // characters of a derivative that was typed
const MOST_STAGES = 100; // of a run, each with settings of its own
const POWERS = [-16, 2]; // of δ

/** @type {Check} */
const isNumber = (value) => Number.isFinite(value);
/** @type {Check} */
const isText = (value) => typeof value === "string";
/** @type {Check} */
const isSwitch = (value) => typeof value === "boolean";
/** @type {Check} */
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {readonly unknown[]} values @returns {Check} */
const oneOf = (values) => (value) => values.includes(value);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @param {number} least @param {number} most @returns {Check} */
const whole = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
/** @param {Check} check @param {number} [most] @returns {Check} */
const listOf =
  (check, most = Infinity) =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check);
/** @param {Check} check @returns {Check} */
const recordOf = (check) => (value) => isRecord(value) && Object.values(value).every(check);
/** A record that has all of these fields. @param {Record<string, Check>} fields @returns {Check} */
const having = (fields) => (value) => isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** What a hyper-parameter may be: a number, a switch, a word, or a list of numbers. @type {Check} */
const isParameter = (value) => isNumber(value) || isSwitch(value) || value === null || isText(value) || listOf(isNumber)(value);
/** @type {Check} */
const isRate = (value) => isNumber(value) && value >= 0;

const isAxis = having({
  variable: orNull(isText),
  index: listOf(whole(0, Number.MAX_SAFE_INTEGER)),
  direction: orNull(oneOf(["hessian", "random", "trajectory"])),
  from: isNumber,
  to: isNumber,
});

/** An axis leads somewhere, from less to more. @type {Check} */
const isSoundAxis = (axis) => isAxis(axis) && axis.from < axis.to && (axis.variable === null) !== (axis.direction === null);

const isContender = having({
  name: isText,
  rate: isRate,
  parameters: recordOf(isParameter),
  start: orNull(recordOf(isNumber)),
});

const isSettings = having({
  name: isText,
  rate: isRate,
  ownRate: orNull(isRate),
  parameters: recordOf(isParameter),
  process: oneOf(["none", "clip_by_norm", "clip_by_value", "clip_by_global_norm", "scale"]),
  limit: isNumber,
  schedule: isText,
  timing: recordOf(isParameter),
});

const isPlace = whole(0, MOST_UPDATES);

/** @type {Check} */
const isRising = (values) =>
  values.every((/** @type {number} */ value, /** @type {number} */ i) => i === 0 || value > values[i - 1]);
const isStage = having({ first: isPlace, settings: isSettings });
/** @type {Check} */
const areStages = (value) => listOf(isStage, MOST_STAGES)(value) && isRising(value.map((/** @type {any} */ { first }) => first));

const isProgram = having({ source: isText, dialect: isText, at: recordOf(isNumber) });

/** How a run was made that is kept; the server judges what else its program is given. @type {Check} */
export const isRecipe = (value) =>
  having({
    program: (/** @type {unknown} */ program) => program === undefined || isProgram(program),
    stages: areStages,
    rows: isPlace,
    place: whole(0, MOST_KEPT),
  })(value) &&
  value.stages.length > 0 &&
  value.stages[0].first === 0 &&
  value.rows > value.stages.at(-1).first;

/** The parts, each with what its values are like. @type {Readonly<Record<string, Check>>} */
export const PARTS = Object.freeze({
  cursor: isPlace,
  row: isPlace,
  settings: isSettings,
  stages: areStages,
  kept: listOf(isRecipe, MOST_KEPT),
  dock: oneOf(["optimizer", "curves", "output", "landscape", "race", "compare", "changes", "table", "outline", "ops"]),
  dockOpen: isSwitch,
  tab: oneOf(["input", "graph", "step", "dock"]),
  language: oneOf(LANGUAGES),
  present: isSwitch,
  curves: having({ scale: oneOf(["linear", "log"]) }),
  tables: areTableLooks,
  op: having({ name: orNull(isText), query: isText }),
  landscape: having({
    axes: orNull(listOf(isSoundAxis, 2)),
    of: isText,
    isSurface: isSwitch,
    around: isNumber,
    above: isNumber,
    hasArrows: isSwitch,
    hasPaths: isSwitch,
  }),
  race: having({
    contenders: orNull(listOf(isContender, MOST_CONTENDERS)),
    steps: whole(1, MOST_UPDATES),
    scale: oneOf(["linear", "log"]),
  }),
  compare: having({
    by: orNull(isText),
    power: (value) => isNumber(value) && value >= POWERS[0] && value <= POWERS[1],
    typed: (value) => isText(value) && value.length <= MOST_TEXT,
  }),
});

/** The parts of a thing that are sound. @param {unknown} found @returns {Record<string, any>} */
export const soundParts = (found) =>
  Object.fromEntries(Object.entries(found ?? {}).filter(([name, value]) => Object.hasOwn(PARTS, name) && PARTS[name](value)));
