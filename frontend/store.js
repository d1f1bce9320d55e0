// The page's one state: a frozen object in a signal, and the transitions between states.
//
// A transition takes a state and returns another; only `update` puts one in place. What is drawn is computed from the
// state in state/selectors.js.

import { computed, signal } from "@preact/signals-core";
import { translator } from "./i18n/i18n.js";
import { scopesToOpen } from "./layout/graph/scopes.js";
import { FIRST_SETTINGS, OWN, ownOptimizer } from "./runs/optimizers.js";
import { withEarlier } from "./state/changes/earlier.js";
import { NOTHING_GIVEN } from "./state/given.js";
import { firstStop, isInRun, lastStop, stepsInRun } from "./state/lesson.js";
import { formatNumber } from "./values/format.js";

/** @import { Program, Run, Step } from "./types.js" */
/** @typedef {import("./types.js").ProgramProgress & {stopped: boolean}} Progress  `printed`: all lines so far */
/** @typedef {{offline: true} | {offline: false, problem: import("./types.js").Problem}} Trouble */
/** @import { OptimizerSettings } from "./runs/optimizers.js" */
/** @typedef {{text: string, shown: string, why: {key: string, params?: Record<string, string | number>}}} Mistake  typed over `shown` */
/**
 * @typedef {object} State
 * @property {import("./i18n/i18n.js").Language} language
 * @property {import("./i18n/i18n.js").Catalogue} catalogue
 * @property {"light" | "dark" | null} theme        null: as the system has it
 * @property {boolean} present                      the page is shown to a class
 * @property {string} source
 * @property {"auto" | "math" | "tf1" | "tf2" | "torch" | "jax"} dialect      what the learner chose
 * @property {Readonly<Record<string, number>>} at  values given to the variables
 * @property {import("./state/training.js").Training | null} wrt  which variables the learner has trained; null: as the server chooses
 * @property {readonly string[]} inputs             lines that the program's `input()` reads
 * @property {import("./state/given.js").Feeds} feeds  values of placeholders
 * @property {import("./state/given.js").DataSets} data  tables that the program knows by name
 * @property {number} seed                          where its random streams start
 * @property {Readonly<Record<string, readonly [number, number]>>} ranges  of the sliders
 * @property {Program | null} program               the last one with a graph worth showing
 * @property {import("./types.js").Level} level     of steps and picture, as the learner wants them
 * @property {import("./state/levels.js").Lessons} lessons  of the program, by the level that they were asked for at
 * @property {import("./types.js").Level | null} asked  at which the lesson that is shown was asked for; null before any was
 * @property {import("./types.js").Level} stepLevel  the level of the steps; a program with loops has none at level Mathematics
 * @property {readonly Step[]} steps                its lesson; in a run, that of an update
 * @property {number} lessonRow                       the update whose numbers the lesson has, 0 for none that is shown
 * @property {{steps: readonly Step[], values: import("./types.js").Lesson["values"], cursor: number} | null} start  the lesson as it was before the run that is shown
 * @property {import("./types.js").Lesson["values"]} lessonValues  of nodes, where the program's last run has others
 * @property {number} cursor                        index of the current step, -1 without a lesson
 * @property {boolean} stale                        the text no longer says what is drawn
 * @property {Program | null} answer                the server's answer to the present text
 * @property {string} answered                      the text that it is about
 * @property {boolean} busy
 * @property {Progress | null} progress             of a program that takes a while, or that was stopped
 * @property {Trouble | null} lessonTrouble         why there is no lesson of what is drawn
 * @property {{level: import("./types.js").Level, at: import("./types.js").Level, program: Program | null, trouble: Trouble} | null} levelTrouble  why a program is not drawn at a level; at: the one at which it stayed
 * @property {Trouble | null} trouble               a request that failed
 * @property {string | null} selected               node or scope
 * @property {ReadonlySet<string>} open             scopes
 * @property {import("./layout/graph/part.js").Lanes} lanes  which part of the graph is drawn
 * @property {import("./types.js").Level | null} beside  the level that is drawn beside it; null for none
 * @property {"tensorflow" | "essentials"} detail   every node, or those that carry the mathematics
 * @property {boolean} merged                       forward and backward in one column, as TensorBoard has it
 * @property {import("./finding/colours.js").ColourBy} colour  what the fill of a node means
 * @property {import("./layout/scene/moved.js").Moves} moved  how far items were moved by hand
 * @property {ReadonlySet<string>} broughtBack      nodes that would be set aside and are drawn all the same
 * @property {ReadonlySet<string>} hidden           kinds of op that are not drawn
 * @property {import("./layout/types.js").Direction} direction  in which the forward graph runs
 * @property {{of: Program, nodes: import("./types.js").ApiNode[]} | null} essentials  as the server gave them last
 * @property {readonly import("./state/look.js").Look[]} past  how the graph was looked at before, latest last
 * @property {{name: string} | null} wanted         what is to be brought into sight; a new object each time
 * @property {import("./finding/trace.js").Way | null} trace  what is lit up of the selected node's surroundings
 * @property {{at: string, names: readonly string[]} | null} lit  nodes lit up as long as one of them is selected
 * @property {string | null} pathFrom               node or scope that paths to the selected one are shown from
 * @property {import("./types.js").Span | null} place to go to in the text; a new object each time
 * @property {Readonly<Record<string, import("./types.js").OpDoc>>} ops  what is known of ops, by name
 * @property {readonly import("./types.js").OpDoc[] | null} allOps  that there are, once they are known
 * @property {{name: string | null, query: string}} op  which one is read, and what is searched among them
 * @property {"input" | "graph" | "step" | "dock"} tab  shown on a small screen
 * @property {"optimizer" | "curves" | "output" | "table" | "outline" | "landscape" | "race" | "compare" | "changes" | "ops"} dock
 * @property {{scale: "linear" | "log"}} curves     how losses are drawn
 * @property {readonly import("./runs/kept.js").KeptRun[]} keptRuns  beside the present one
 * @property {import("./state/landscape.js").LandscapeSettings} landscape  what of the target is drawn
 * @property {import("./state/landscape.js").LandscapeFound | null} landscapeFound  as the server answered last
 * @property {import("./state/race.js").RaceSettings} race  who races
 * @property {import("./state/race.js").RaceFound | null} raceFound  as the server answered last
 * @property {string | null} dockFor               the text at which the learner chose it
 * @property {boolean} dockOpen
 * @property {{by: string | null, power: number, typed: string}} compare  what is chosen in the comparison: the variable (null: the first), δ as a power of ten, the learner's own derivative
 * @property {{of: {program: Program, by: string | null, typed: string}, answer: import("./types.js").Comparison | null, trouble: Trouble | null} | null} comparison  the last one, and what it is of
 * @property {import("./state/changes/earlier.js").DrawnText | null} drawnText  what is drawn was made of
 * @property {readonly import("./state/changes/earlier.js").DrawnText[]} earlier  what was drawn before, the latest first
 * @property {import("./state/changes/differing.js").ChangesSettings} changes  what the program is compared with, and how
 * @property {{of: {before: object, after: object}, answer: import("./types.js").Differences | null, trouble: Trouble | null} | null} changesFound  the last answer, and what it is of
 * @property {{of: Program, answer: import("./types.js").ImportedValues} | null} fileValues  what was computed last of a graph from a file
 * @property {OptimizerSettings} settings
 * @property {import("./types.js").OptimizerCatalogue | null} optimizers  that there are, once they are known
 * @property {Run | null} run                       rows computed so far
 * @property {OptimizerSettings | null} runSettings  what its last rows were computed with
 * @property {number} row                           the row shown
 * @property {number} furthest                      the last row shown so far
 * @property {number | null} rowWithoutLesson                 the update whose lesson would have other numbers than the run
 * @property {boolean} optimising                   an update is shown as a whole, rather than a step
 * @property {{from: number, to: number, settings: OptimizerSettings} | null} goal  the row that the run is on its way to
 *                                                  with these settings, and the row that it set out from
 * @property {import("./requests/row_values.js").RowValues | null} rowValues  tensors of a row that the columns have not got
 * @property {{run: Run, row: number, before: import("./types.js").RunStep, after: import("./types.js").RunStep} | null} around  an update whose numbers a long run has not kept
 * @property {import("./requests/docks/tensors.js").Tensors | null} tensors  whole values that were fetched by themselves
 * @property {Readonly<Record<string, import("./state/tables.js").TableLook>>} tables  how tables are sorted and filtered, by name
 * @property {import("./types.js").Course | null} course  all examples, once they are known
 * @property {Readonly<Record<string, import("./types.js").Thumbnail>>} thumbnails
 * @property {{view: "examples" | "lessons", query: string} | null} gallery  where it is open
 * @property {import("./types.js").Example | null} item  the example that is worked on
 * @property {string} itemText                      which of its texts was opened last
 * @property {{id: string, stop: number} | null} readyLesson  the lesson that it is part of, and the place in it
 * @property {import("./types.js").Level | null} levelBefore  that of before an example with a level of its own
 * @property {import("./state/course.js").Notes} notes  what the learner has ticked, and how far lessons have come
 * @property {import("./state/classroom.js").Classroom | null} classroom  that the page is in, as teacher or student
 * @property {"off" | "ask"} predict                whether each step is asked for before it is shown
 * @property {Readonly<Record<string, import("./state/predicting.js").Guess>>} guesses  what was said, by what was asked
 * @property {{label: string, text: string} | null} typing  what is being typed into the field of this label
 * @property {Readonly<Record<string, Mistake>>} mistakes  what was typed and could not be taken, by the field's label
 */

/** @type {State} */
const initial = {
  language: "en",
  catalogue: {},
  theme: null,
  present: false,
  source: "",
  dialect: "auto",
  at: {},
  wrt: null,
  ...NOTHING_GIVEN,
  ranges: {},
  program: null,
  level: "mathematics",
  lessons: {},
  asked: null,
  stepLevel: "tensorflow",
  steps: [],
  lessonRow: 1,
  start: null,
  lessonValues: {},
  cursor: -1,
  stale: false,
  answer: null,
  answered: "",
  busy: false,
  progress: null,
  lessonTrouble: null,
  levelTrouble: null,
  trouble: null,
  selected: null,
  open: new Set(),
  lanes: "both",
  beside: null,
  detail: "tensorflow",
  merged: false,
  colour: "phase",
  moved: new Map(),
  broughtBack: new Set(),
  hidden: new Set(),
  direction: "right",
  essentials: null,
  past: [],
  wanted: null,
  trace: null,
  lit: null,
  pathFrom: null,
  place: null,
  ops: {},
  allOps: null,
  op: { name: null, query: "" },
  tab: "graph",
  dock: "optimizer",
  curves: { scale: "linear" },
  keptRuns: [],
  landscape: { axes: null, of: "", isSurface: false, around: 35, above: 35, hasArrows: true, hasPaths: false },
  landscapeFound: null,
  race: { contenders: null, steps: 100, scale: "linear" },
  raceFound: null,
  dockFor: null,
  dockOpen: true,
  compare: { by: null, power: -3, typed: "" },
  comparison: null,
  drawnText: null,
  earlier: [],
  changes: { chosen: null, kept: null, hasGradients: false, typed: "" },
  changesFound: null,
  fileValues: null,
  settings: FIRST_SETTINGS,
  optimizers: null,
  run: null,
  runSettings: null,
  row: 0,
  furthest: 0,
  rowWithoutLesson: null,
  optimising: false,
  goal: null,
  rowValues: null,
  around: null,
  tensors: null,
  tables: {},
  course: null,
  thumbnails: {},
  gallery: null,
  item: null,
  itemText: "main",
  readyLesson: null,
  levelBefore: null,
  notes: { ticked: {}, places: {}, folded: false },
  classroom: null,
  predict: "off",
  guesses: {},
  typing: null,
  mistakes: {},
};
export const INITIAL = Object.freeze(initial);

export const state = signal(INITIAL);

/** Replace some fields of the state. @param {Partial<State>} fields */
export const update = (fields) => {
  state.value = Object.freeze({ ...state.value, ...fields });
};

/**
 * Some fields of the state as a signal of their own: it changes where one of them does, and not else.
 * @template {keyof State} K
 * @param {...K} fields
 * @returns {import("@preact/signals-core").ReadonlySignal<Pick<State, K>>}
 */
export function partOfState(...fields) {
  let last = state.peek();
  return computed(() => {
    const now = state.value;
    if (fields.some((field) => now[field] !== last[field])) last = now;
    return last;
  });
}

/** Words in the page's language. @type {import("./i18n/i18n.js").Translate} */
export const t = (key, params) => words.value(key, params);
const catalogue = computed(() => state.value.catalogue);
const language = computed(() => state.value.language);
const words = computed(() => translator(catalogue.value, language.value, formatNumber));

// ---- transitions -------------------------------------------------------------------------------

/**
 * The given values that belong to a variable of a mathematical text; a program has its own, and a
 * text that cannot be read may have them again at the next key, or in the language that it was read in before.
 * @param {State["at"]} at @param {Program} answer @param {State["dialect"]} [chosen] by hand
 */
export function valuesInUse(at, answer, chosen = "auto") {
  if (answer.dialect !== "math") return chosen !== "auto" && answer.status !== "ok" ? at : {};
  if (answer.status !== "ok") return at;
  const variables = answer.bindings.filter(({ kind }) => kind === "variable").map(({ name }) => name);
  return Object.fromEntries(Object.entries(at).filter(([name]) => variables.includes(name)));
}

/** @param {Program | null} before @param {Program} after */
export const sameNodes = (before, after) =>
  before !== null &&
  before.graph.nodes.length === after.graph.nodes.length &&
  after.graph.nodes.every(
    (node, index) => before.graph.nodes[index].name === node.name && before.graph.nodes[index].op === node.op,
  );

/**
 * Whether an answer is only the first part of what is drawn. While a line in the middle of a program
 * is being typed, all above it still runs; drawing that part would make the graph jump at every key.
 * @param {Program} answer @param {Program | null} shown
 */
export function isBeginningOf(answer, shown) {
  const whole = shown?.graph.nodes ?? [];
  const part = answer.graph.nodes;
  return (
    part.length < whole.length && part.every((node, index) => node.name === whole[index].name && node.op === whole[index].op)
  );
}

/** @param {State} now @param {Program} program */
function openScopes(now, program) {
  const { nodes } = program.graph;
  const still = [...now.open].filter((scope) => nodes.some(({ name }) => name.startsWith(`${scope}/`)));
  return new Set([...scopesToOpen(nodes), ...still]);
}

/** Kinds of a last line that a notebook shows nothing of. */
const SILENT = new Set(["none", "function", "other"]);

/** Whether the last line shows something. @param {Program} program */
export const hasResult = ({ result }) => result !== null && !SILENT.has(result.kind);

/** Whether a program printed, drew or shows something. @param {Program} program */
export const hasOutput = (program) => program.printed.length > 0 || (program.figures ?? []).length > 0 || hasResult(program);

const LINES_OF_A_FIGURE = 16; // that are as high

/** How many lines that takes where none is wrapped. @param {Program} program */
export const outputLines = (program) =>
  program.printed.flatMap((line) => line.split("\n")).length +
  LINES_OF_A_FIGURE * (program.figures ?? []).length +
  Number(hasResult(program));

/**
 * Show output to someone who asked for printing and looks at nothing else by now, the optimizer else.
 * @param {State} now
 * @param {Program} program
 * @returns {State["dock"]}
 */
function dockAfter(now, program) {
  const prints = hasOutput(program);
  const chosen = now.dockFor === now.source;
  if (prints && !chosen && !(now.program && hasOutput(now.program))) return "output";
  return !prints && now.dock === "output" ? "optimizer" : now.dock;
}

/** Look at a tool of the dock. @param {State} now @param {State["dock"]} dock @returns {Partial<State>} */
export const docked = ({ source }, dock) => ({ dock, dockFor: source, dockOpen: true });

/** Whether a text could not be read or run to its end; what a limit left of it counts, where it left anything. @param {Program} answer */
const hasFailed = (answer) =>
  ["error", "refused"].includes(answer.status) ||
  (answer.status === "limit" && answer.graph.nodes.length === 0 && !hasOutput(answer));

/** Whether a program waits for a line that it asked for. @param {Program} answer */
const waits = ({ inputs = [] }) => inputs.some(({ text }) => text === null);

/** The words for a text of which nothing is drawn: it waits, has a mistake, computes numbers only, or says nothing yet. @param {State} now */
export function wordsForNothing({ source, program, answer }) {
  if (!source.trim()) return "graph.empty";
  if (answer && waits(answer)) return "graph.waits";
  if (answer && hasFailed(answer)) return "graph.failed";
  return program ? "step.none" : "graph.empty";
}

/**
 * Take in the server's answer to a text: draw it, or keep the last good graph and mark it stale.
 * @param {State} now @param {Program} answer @param {import("./state/levels.js").Answered} lesson
 * @returns {Partial<State>}
 */
export function answered(now, answer, lesson) {
  const empty = answer.graph.nodes.length === 0;
  const isOfNoUse = empty ? !waits(answer) : isBeginningOf(answer, now.program); // what is drawn is not about a program that waits
  if (hasFailed(answer) && isOfNoUse) {
    return { answer, answered: now.source, busy: false, trouble: null, stale: Boolean(now.program?.graph.nodes.length) };
  }
  const { steps, values = {}, graph, reason, trouble = null, level = "tensorflow", asked = level } = lesson;
  const same = sameNodes(now.program, answer) && steps.length === now.steps.length && level === now.stepLevel;
  return {
    ...{ answer, answered: now.source, program: answer, busy: false, trouble: null, stale: false },
    ...withEarlier(now, answer),
    ...{ steps, lessonValues: values, lessonTrouble: trouble, stepLevel: level, asked },
    lessons: trouble ? {} : { [asked]: { level, steps, values, graph, reason } },
    cursor: same ? now.cursor : firstStop(steps),
    open: same ? now.open : openScopes(now, answer),
    past: same ? now.past : [],
    moved: same ? now.moved : INITIAL.moved,
    selected: same ? now.selected : null,
    pathFrom: same ? now.pathFrom : null,
    dock: dockAfter(now, answer),
    settings: settingsFor(now, answer),
    ...{ ...WITHOUT_RUN, lessonRow: 1, start: null },
  };
}

/**
 * The program's own optimizer where it builds one; a choice stays while the next text has the same.
 * @param {State} now @param {Program} answer
 */
function settingsFor({ settings, program }, answer) {
  if (!buildsUpdates(answer)) return settings.name === OWN ? { ...settings, name: FIRST_SETTINGS.name } : settings;
  return program && buildsUpdates(program) ? settings : { ...settings, name: OWN, ownRate: null };
}

/** The start again: no updates made. @type {Partial<State>} */
export const WITHOUT_RUN = Object.freeze({
  run: null,
  runSettings: null,
  row: 0,
  furthest: 0,
  optimising: false,
  goal: null,
  rowValues: null,
  rowWithoutLesson: null,
  around: null,
});

/** The start again, with its lesson. @param {State} now @returns {Partial<State>} */
export const withoutRun = ({ start }) => ({
  ...WITHOUT_RUN,
  ...(start && { steps: start.steps, lessonValues: start.values, cursor: start.cursor, lessonRow: 1, start: null }),
});

/** Take in how far the program is that is being run. @param {State} now @param {import("./types.js").ProgramProgress} report @returns {Partial<State>} */
export const reported = ({ busy, progress }, report) =>
  busy ? { progress: { ...report, printed: [...(progress?.printed ?? []), ...report.printed], stopped: false } } : {};

/** Whether a program has an optimizer of its own. @param {Program} program */
export const buildsUpdates = (program) => ownOptimizer(program) !== null;

/** Go to step k, or as near as there is one; in a run the update itself is the last. @param {State} now @param {number} k @returns {Partial<State>} */
export function movedTo(now, k) {
  const cursor = now.steps.length === 0 ? -1 : Math.min(lastStop(now), Math.max(0, k));
  return { cursor, selected: null, optimising: isInRun(now) && (cursor < 0 || cursor === lastStop(now)) };
}

/** Nothing is known of later rows than the one that is shown. @param {State} now @returns {Partial<State>} */
const withoutRowsAhead = ({ row, lessonRow }) => ({
  ...{ furthest: row, rowWithoutLesson: null },
  ...(lessonRow > Math.max(row, 1) && { lessonRow: 0 }), // the first row is the start's
});

/**
 * Take in a run with more rows than before; its graph is opened once, where it is another.
 * @param {State} now
 * @param {Run} run
 * @param {OptimizerSettings} runSettings
 * @returns {Partial<State>}
 */
export const arrived = (now, run, runSettings) => ({
  ...{ run, runSettings, trouble: null },
  ...(now.runSettings !== runSettings && withoutRowsAhead(now)), // they were computed with other settings
  ...(now.run?.program !== run.program && { open: openScopes(now, run.program) }),
});

const ENDED = new Set(["diverged", "non_finite", "limit", "error"]); // a run of this status goes no further

/**
 * As near to the goal as there are rows; it is reached, or given up where the run went no further.
 * @param {State} now @returns {Partial<State>}
 */
export function towardsGoal(now) {
  const { goal, run, runSettings, selected } = now;
  if (!goal || !run || goal.settings !== runSettings) return {};
  const last = run.steps.length - 1;
  const over = goal.to <= last || ENDED.has(run.status);
  return { ...atRow(now, Math.min(goal.to, last)), selected, goal: over ? null : goal, busy: !over };
}

/** Show row k of the run: the whole of update k, at its end. @param {State} now @param {number} k @returns {Partial<State>} */
export function atRow(now, k) {
  const row = Math.max(0, k);
  const shown = { row, furthest: Math.max(row, now.furthest), selected: null };
  if (now.run === null) return { ...shown, optimising: false };
  if (row === 0) return { ...withoutRun(now), run: now.run, runSettings: now.runSettings, ...shown };
  const start = now.start ?? { steps: now.steps, values: now.lessonValues, cursor: now.cursor };
  const own = row === 1 && now.lessonRow !== 1 ? start.steps : now.steps;
  const steps = now.start && own === now.steps ? now.steps : stepsInRun(own);
  return {
    ...shown,
    start,
    steps,
    lessonRow: row === 1 ? 1 : now.lessonRow,
    cursor: steps.length > 0 ? steps.length : -1,
    optimising: true,
  };
}

/** Take in the lesson of the update that is shown, and go to one of its steps. @param {State} now @param {readonly Step[]} lesson @param {number} k @returns {Partial<State>} */
export function withUpdateLesson(now, lesson, k) {
  const steps = stepsInRun(lesson);
  return { steps, lessonRow: now.row, ...movedTo({ ...now, steps }, k) };
}
