// Two pictures of one program side by side: what the second one shows at this step, and which parts of both show the
// same quantity. The server pairs them; here the pairs are found for what is pointed at, selected, or the step.

import { computed, signal } from "@preact/signals-core";

import { partOf } from "../layout/graph/part.js";
import { state } from "../store.js";
import { firstStop, knownAfter, learnersNames, nodeOf, nodesOf, scopesAround } from "../state/lesson.js";
import { isFramework, levelsOf, withNodes } from "../state/levels.js";
import { knownOf } from "../state/mathematics/known.js";
import { pictureOf } from "../state/mathematics/picture.js";
import { knownHere, level, picture, pointedHere, selectedHere } from "../state/selectors.js";

/** @import { Level, PairedQuantity, SideBySide, Step } from "../types.js" */
/** @import { Part, Picture } from "../state/mathematics/picture.js" */
/** @typedef {"left" | "right"} Side */
/** @typedef {{level: Level, steps: readonly Step[], picture: Picture | null}} Seen  a picture as pairs are looked up in it */
/** @typedef {{side: Side, name: string} | {left: readonly string[], right: readonly string[]}} Pointed  a part of a picture, or nodes of both */

/** The server's answer, and the program that it is about. @type {import("@preact/signals-core").Signal<{of: object, answer: SideBySide} | null>} */
export const answered = signal(null);
/** Why there is none. @type {import("@preact/signals-core").Signal<{of: object | null, about: string, trouble: import("../store.js").Trouble} | null>} */
export const refusal = signal(null);
/** What the pointer or the focus is at, but for the first picture. @type {import("@preact/signals-core").Signal<Pointed | null>} */
export const pointedThere = signal(null);

/** @type {import("@preact/signals-core").ReadonlySignal<Pointed | null>} */
const pointed = computed(
  () => pointedThere.value ?? (pointedHere.value === null ? null : { side: "left", name: pointedHere.value }),
);
/** What is selected in the second picture. @type {import("@preact/signals-core").Signal<string | null>} */
export const chosenThere = signal(null);

/** The level of the second picture; null where there is none: an optimizer of ours grows one graph alone. */
export const levelThere = computed(() => {
  const { beside, program, run, steps } = state.value;
  if (beside === null || !program || run || steps.length === 0) return null;
  const others = levelsOf(program.dialect).filter((each) => each !== level.value);
  return others.includes(beside) ? beside : (others[0] ?? null);
});

const lessonThere = computed(() => (levelThere.value ? (state.value.lessons[levelThere.value] ?? null) : null));

/** The program with the nodes of the second picture; null until they are there. */
const programThere = computed(() => {
  const [at, lesson, { program }] = [levelThere.value, lessonThere.value, state.value];
  if (!at || !lesson || !program) return null;
  return isFramework(at) ? lesson.graph && withNodes(program, lesson.graph) : program;
});

const pictureThere = computed(() =>
  levelThere.value === "mathematics" && lessonThere.value?.level === "mathematics" && programThere.value
    ? pictureOf(programThere.value, lessonThere.value.steps)
    : null,
);

const open = computed(() => state.value.open);
const direction = computed(() => state.value.direction);

/** What the layout draws of it. */
export const modelThere = computed(() => {
  const [at, program, drawn] = [levelThere.value, programThere.value, pictureThere.value];
  if (!program || (at === "mathematics" && !drawn)) return null;
  const names = drawn ? new Map([...drawn.parts.values()].map(({ id, label }) => [id, label])) : learnersNames(program);
  const part = drawn
    ? partOf({ nodes: drawn.nodes, target: null, names, gradients: [] }, "both")
    : partOf({ nodes: program.graph.nodes, target: program.target, names, gradients: program.gradients }, "both");
  return Object.freeze({ ...part, open: open.value, merged: false, direction: direction.value, moved: new Map() });
});

// ---- pairs ----

/** The answer about these two levels; null until it is there. */
export const pairs = computed(() => {
  const found = answered.value;
  const isOf =
    found && found.of === state.value.program && found.answer.left === level.value && found.answer.right === levelThere.value;
  return isOf ? found.answer : null;
});

/** @type {import("@preact/signals-core").ReadonlySignal<Record<Side, Seen>>} */
const seen = computed(() => ({
  left: { level: level.value, steps: state.value.steps, picture: picture.value },
  right: { level: levelThere.value ?? "tensorflow", steps: lessonThere.value?.steps ?? [], picture: pictureThere.value },
}));

const KINDS = /** @type {const} */ ({ quantity: "value", gradient: "gradient", factor: "factor" });

/** The kind of a part at level Mathematics, and the node that the server calls it by. @param {Part} part @param {readonly Step[]} steps */
function aboutOf(part, steps) {
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (part.kind)];
  const from = part.kind === "factor" ? steps[part.saidAt[0]]?.contributions?.[part.place]?.from : part.like;
  return { kind, node: nodeOf(from ?? "") };
}

/** Whether a picture's item shows a quantity. @param {PairedQuantity} quantity @param {Side} side @param {string} name @param {Seen} at */
function shows(quantity, side, name, { level: of, steps, picture: drawn }) {
  const part = of === "mathematics" ? drawn?.parts.get(name) : undefined;
  if (of === "mathematics") {
    if (!part) return false;
    const { kind, node } = aboutOf(part, steps);
    return kind === quantity.kind && quantity[side].includes(node);
  }
  return quantity[side].includes(name);
}

/** The items of a picture that show a quantity, and the scopes around them. @param {PairedQuantity} quantity @param {Side} side @param {Seen} at @returns {string[]} */
function itemsOf(quantity, side, at) {
  if (at.level !== "mathematics") return quantity[side].flatMap((name) => [name, ...scopesAround(name)]);
  return [...(at.picture?.parts.values() ?? [])].flatMap(({ id }) => (shows(quantity, side, id, at) ? [id] : []));
}

/** The items that a step is about. @param {Seen} at @param {number} cursor */
function itemsAt({ level: of, steps, picture: drawn }, cursor) {
  if (of !== "mathematics") return steps[cursor] ? nodesOf(steps[cursor]) : [];
  return [...(drawn?.parts.values() ?? [])].filter(({ saidAt }) => saidAt.includes(cursor)).map(({ id }) => id);
}

/** The quantities that are lit: at what is pointed at, else what is selected, else the step. */
export const lit = computed(() => {
  const all = pairs.value?.quantities ?? [];
  const at = pointed.value;
  if (at && !("side" in at)) return [];
  const chosen = at ?? whatIsChosen();
  if (chosen) return all.filter((each) => shows(each, chosen.side, chosen.name, seen.value[chosen.side]));
  const names = new Set([...knownHere.value.status].flatMap(([name, status]) => (status === "current" ? [name] : [])));
  return all.filter((each) => [...names].some((name) => shows(each, "left", name, seen.value.left)));
});

/** @returns {{side: Side, name: string} | null} */
function whatIsChosen() {
  if (chosenThere.value !== null) return { side: "right", name: chosenThere.value };
  return selectedHere.value === null ? null : { side: "left", name: selectedHere.value };
}

/** The items of a side that are lit; null where there are no pairs. @param {Side} side @returns {ReadonlySet<string> | null} */
function litOn(side) {
  if (!pairs.value) return null;
  const at = pointed.value;
  if (at && !("side" in at)) return new Set(at[side].flatMap((name) => [name, ...scopesAround(name)]));
  const own = at?.side === side ? [at.name] : [];
  return new Set([...own, ...lit.value.flatMap((each) => itemsOf(each, side, seen.value[side]))]);
}

export const litHere = computed(() => litOn("left"));
const litThere = computed(() => litOn("right"));

// ---- the step ----

/** The step of the second lesson at which the same quantity is computed; that of an earlier step where there is none. */
export const cursorThere = computed(() => {
  const { cursor, steps } = state.value;
  const there = seen.value.right.steps;
  if (cursor >= steps.length) return there.length;
  if (steps[cursor]?.phase === "close") return there.length - 1;
  for (let at = cursor; at >= 0; at -= 1) {
    const found = sameStepThere(at);
    if (found >= 0) return found;
  }
  return cursor < firstStop(steps) ? Math.min(0, there.length - 1) : firstStop(there) - 1;
});

/** @param {number} at a step here */
function sameStepThere(at) {
  const { left, right } = seen.value;
  const names = itemsAt(left, at);
  const those = (pairs.value?.quantities ?? []).filter(
    (each) => each.kind !== "factor" && names.some((name) => shows(each, "left", name, left)),
  );
  return right.steps.findLastIndex((_, place) =>
    itemsAt(right, place).some((name) => those.some((each) => shows(each, "right", name, right))),
  );
}

/** What is known of the second picture. */
export const knownThere = computed(() => {
  const [program, lesson, drawn] = [programThere.value, lessonThere.value, pictureThere.value];
  if (!program || !lesson) return { values: new Map(), exact: new Map(), status: new Map(), strips: new Map() };
  const known = knownAfter(program, lesson.steps, cursorThere.value, lesson.values);
  if (!drawn) return known;
  return knownOf(drawn, known, { steps: lesson.steps, cursor: cursorThere.value, isOwn: true, isWhole: false });
});

/** How it is marked. */
export const marksThere = computed(() =>
  Object.freeze({
    ...knownThere.value,
    hues: new Map(),
    selected: chosenThere.value,
    stale: state.value.stale,
    traced: null,
    lit: litThere.value,
  }),
);

/** What stands on the first item of a quantity on each side. @param {PairedQuantity} quantity @returns {Record<Side, {name: string, value: string}>} */
export function written(quantity) {
  const at = (/** @type {Side} */ side, /** @type {ReadonlyMap<string, string>} */ values) => {
    const name = itemsOf(quantity, side, seen.value[side]).find((each) => values.has(each)) ?? "";
    return { name: seen.value[side].picture?.parts.get(name)?.label ?? name, value: values.get(name) ?? "" };
  };
  return { left: at("left", knownHere.value.values), right: at("right", knownThere.value.values) };
}
