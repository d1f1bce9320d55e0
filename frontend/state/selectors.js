// What is drawn, computed from the state: the program's nodes in the detail asked for, the graph's model and its
// marks, and the step and node that stand in the middle of it. Nothing here is kept, so stepping back gives exactly
// what was there before.

import { computed, signal } from "@preact/signals-core";

import { setAside, withoutNodes } from "../finding/aside.js";
import { withoutOps } from "../finding/hiding.js";
import { partOf } from "../layout/graph/part.js";
import { withForward } from "../layout/graph/phases.js";
import { sameNodes, state } from "../store.js";
import { labelsOf, modelOf, modelOfParts } from "./pictures/drawn_model.js";
import { isInRun, knownAfter, knownInRun, knownWithin, nodeOf } from "./lesson.js";
import { isFramework, withNodes } from "./levels.js";
import { knownOf } from "./mathematics/known.js";
import { pictureOf } from "./mathematics/picture.js";
import { drawnInRun } from "./mathematics/steps.js";

const program = computed(() => state.value.program);
const run = computed(() => state.value.run);
const open = computed(() => state.value.open);
const steps = computed(() => state.value.steps);
const lessonValues = computed(() => state.value.lessonValues);
const cursor = computed(() => state.value.cursor);
const row = computed(() => state.value.row);
const optimising = computed(() => state.value.optimising);
const selected = computed(() => state.value.selected);
const stale = computed(() => state.value.stale);

const stepLevel = computed(() => state.value.stepLevel);
const lessons = computed(() => state.value.lessons);
const wanted = computed(() => state.value.level);

/** The program as its own framework builds it; null at other levels, and once an optimizer of ours has grown the graph. */
const ownProgram = computed(() => {
  const graph = isFramework(wanted.value) && stepLevel.value === wanted.value ? lessons.value[wanted.value]?.graph : null;
  return graph && graph.nodes.length > 0 && program.value && !run.value ? withNodes(program.value, graph) : null;
});

/** The program whose graph is drawn: the one grown by the optimizer once there is a run, or that of another framework. */
export const shownProgram = computed(() => run.value?.program ?? ownProgram.value ?? program.value);

/** The lesson that is drawn: the program's own; of an update that goes another way (another branch, more turns) that update's. */
const drawnSteps = computed(() => {
  const lesson = lessons.value.mathematics;
  const own = lesson?.level === "mathematics" ? lesson.steps : [];
  const isOther = isInRun({ run: run.value, row: row.value }) && stepLevel.value === "mathematics" && steps.value.length > 0;
  return isOther ? drawnInRun(own, steps.value) : own;
});

/** What is drawn at level Mathematics; null where the program has no lesson there. */
export const picture = computed(() =>
  drawnSteps.value.length > 0 && shownProgram.value ? pictureOf(shownProgram.value, drawnSteps.value) : null,
);

/** The level of what is drawn: TensorFlow's until there is a lesson at the one that is wanted. @type {import("@preact/signals-core").ReadonlySignal<import("../types.js").Level>} */
export const level = computed(() => {
  if (ownProgram.value) return wanted.value;
  return wanted.value === "mathematics" && stepLevel.value === "mathematics" && picture.value ? "mathematics" : "tensorflow";
});

/** The nodes that a learner looks at, all of them: those of the program, or the parts of the picture. */
export const allNodes = computed(() =>
  level.value === "mathematics" && picture.value ? picture.value.nodes : (shownProgram.value?.graph.nodes ?? []),
);

const lanes = computed(() => state.value.lanes);
const detail = computed(() => state.value.detail);
const merged = computed(() => state.value.merged);
const direction = computed(() => state.value.direction);
const essentials = computed(() => state.value.essentials);

const hidden = computed(() => state.value.hidden);

/**
 * The nodes in the detail asked for; all of them until the server has said which are essential. As a run begins they are
 * those of its program, until it has said what the optimizer adds.
 */
const detailedNodes = computed(() => {
  if (level.value === "mathematics") return allNodes.value;
  const shown = shownProgram.value;
  const found = detail.value === "essentials" ? essentials.value : null;
  const fits = found && [shown, program.value].some((each) => each && sameNodes(found.of, each));
  return withForward(fits ? found.nodes : (shown?.graph.nodes ?? []));
});

const broughtBack = computed(() => state.value.broughtBack);

/** What is left out of a large picture for its many lines, until it is brought back. */
export const asideNodes = computed(() => setAside(detailedNodes.value, broughtBack.value));

/** The nodes that are drawn, whichever scopes are open: those in detail, without the hidden kinds and what is set aside. */
export const shownNodes = computed(() => withoutOps(withoutNodes(detailedNodes.value, asideNodes.value), hidden.value));

/** What the parts of the picture are called. @type {import("@preact/signals-core").ReadonlySignal<ReadonlyMap<string, string>>} */
export const labels = computed(() => labelsOf(picture.value?.parts ?? new Map()));

/** The part of the graph that is drawn, whichever scopes are open. */
const shownPart = computed(() => {
  const shown = shownProgram.value;
  if (!shown) return null;
  const nodes = shownNodes.value;
  const parts = level.value === "mathematics" ? picture.value?.parts : undefined;
  return partOf(parts ? modelOfParts(nodes, parts) : modelOf(shown, nodes), lanes.value);
});

const moved = computed(() => state.value.moved);

export const graphModel = computed(() =>
  shownPart.value
    ? Object.freeze({
        ...shownPart.value,
        open: open.value,
        merged: merged.value && level.value === "tensorflow",
        direction: direction.value,
        moved: moved.value,
      })
    : null,
);

const rowValues = computed(() => state.value.rowValues);

/** What is known of the program's nodes. */
export const known = computed(() => {
  if (!shownProgram.value) return { values: new Map(), exact: new Map(), status: new Map(), strips: new Map() };
  if (optimising.value && run.value) return knownInRun(run.value, row.value, rowValues.value);
  if (run.value && row.value > 0) return knownWithin(run.value, row.value, steps.value, cursor.value, rowValues.value);
  return knownAfter(shownProgram.value, steps.value, cursor.value, lessonValues.value);
});

const lessonRow = computed(() => state.value.lessonRow);

/** What is known of the nodes that are drawn. */
export const knownHere = computed(() => {
  if (level.value !== "mathematics" || !picture.value) return known.value;
  const isOwn = !isInRun({ run: run.value, row: row.value }) || lessonRow.value === row.value;
  const place = { steps: steps.value, cursor: cursor.value, isOwn, isWhole: optimising.value };
  return knownOf(picture.value, known.value, place);
});

/** A node or scope as it is called at the level that is drawn. @param {string | null} name at either level */
function nameHere(name) {
  const parts = name === null ? undefined : picture.value?.parts;
  if (!parts || name === null) return name;
  if (level.value === "mathematics") return parts.has(name) ? name : (partAbout(name)?.id ?? name);
  const part = parts.get(name);
  return part ? (part.tensor ? nodeOf(part.tensor) : (part.nodes.at(-1) ?? null)) : name;
}

/** The part of the picture that a node of TensorFlow belongs to. @param {string} node */
function partAbout(node) {
  const parts = [...(picture.value?.parts.values() ?? [])].filter(({ kind }) => kind !== "factor");
  return parts.find(({ tensor }) => tensor && nodeOf(tensor) === node) ?? parts.find(({ nodes }) => nodes.includes(node));
}

/** What is selected, as it is called at the level that is drawn. */
export const selectedHere = computed(() => nameHere(selected.value));

const trace = computed(() => state.value.trace);
const pathFrom = computed(() => state.value.pathFrom);
const lit = computed(() => state.value.lit);
const colour = computed(() => state.value.colour);

/** What traces, paths and colours are computed with, once it has been fetched. @type {import("@preact/signals-core").Signal<typeof import("../finding/tools.js") | null>} */
export const findingTools = signal(null);

/** Whether it is to be fetched. */
export const wantsFindingTools = computed(
  () => findingTools.value === null && (trace.value !== null || pathFrom.value !== null || colour.value !== "phase"),
);

/** The paths between the chosen start and the selected node, whichever of them comes first; null where nothing is asked. */
export const paths = computed(() => {
  const [a, b, nodes] = [nameHere(pathFrom.value), selectedHere.value, allNodes.value];
  if (a === null || b === null || a === b) return null;
  const tools = findingTools.value;
  if (!tools) return null;
  const pathsBetween = level.value === "mathematics" ? tools.pathsPastFactors : tools.pathsBetween;
  const there = pathsBetween(nodes, a, b);
  if (there) return { from: a, to: b, ...there };
  const back = pathsBetween(nodes, b, a);
  return back ? { from: b, to: a, ...back } : { from: a, to: b, names: new Set([a, b]), count: 0, shortest: 0 };
});

/** The nodes and scopes that are lit up: those on the paths asked for, or of a trace; null where all are alike. */
export const tracedNames = computed(() => {
  if (paths.value) return paths.value.names;
  if (lit.value && lit.value.at === selected.value) return new Set(lit.value.names);
  if (!trace.value || selectedHere.value === null) return null;
  return findingTools.value?.traced(allNodes.value, selectedHere.value, trace.value) ?? null;
});

/** @type {import("../finding/colours.js").Colours} */
const NO_COLOURS = Object.freeze({ hues: new Map(), legend: [] });

/** Which nodes and scopes have a hue of their own, and what the hues mean. */
export const colours = computed(() =>
  level.value === "mathematics" ? NO_COLOURS : (findingTools.value?.coloursOf(shownNodes.value, colour.value) ?? NO_COLOURS),
);

/** What shows the same quantity as a part of a second picture beside this one. @type {import("@preact/signals-core").Signal<ReadonlySet<string> | null>} */
export const litBeside = signal(null);
/** The node or scope that the pointer or the focus is at. @type {import("@preact/signals-core").Signal<string | null>} */
export const pointedHere = signal(null);

export const graphMarks = computed(() =>
  Object.freeze({
    ...knownHere.value,
    lit: litBeside.value,
    hues: colours.value.hues,
    selected: selectedHere.value,
    stale: stale.value,
    traced: tracedNames.value,
  }),
);

/** The selected node; null for none, or for a scope. */
export const selectedNode = computed(() => {
  const name = selectedHere.value;
  return (name !== null && allNodes.value.find((node) => node.name === name)) || null;
});

/** The selected part of the picture at level Mathematics. */
export const selectedPart = computed(() =>
  level.value === "mathematics" ? (picture.value?.parts.get(selectedHere.value ?? "") ?? null) : null,
);

/** The step that the lesson stands at; null without one. */
export const currentStep = computed(() => steps.value[cursor.value] ?? null);
