// Links: a text, the values given and how its graph is looked at, packed into the part of an address after the "#".
//
// It never reaches a server. What comes back from an address is somebody else's: only fields of the right kind are taken.

import { LANGUAGES } from "../i18n/i18n.js";
import { FIRST_SETTINGS } from "../runs/optimizers.js";
import { LOOK_FIELDS } from "../state/look.js";
import { areTableLooks } from "../state/tables.js";
import { fromFragment, LONGEST, toFragment } from "./url_fragment.js";

/** @import { State } from "../store.js" */
/** @typedef {Partial<Pick<State, "source" | "dialect" | "at" | "inputs" | "feeds" | "data" | "seed" | "wrt"> & import("../state/look.js").Look>} Linked */

const OWN_FIELDS = /** @type {const} */ (["source", "dialect", "at", "inputs", "feeds", "data", "seed", "wrt"]);
const FIELDS = /** @type {const} */ ([...OWN_FIELDS, ...LOOK_FIELDS]);

/** What a link to a state holds. A graph from a file has no text; then it is the look alone. @param {State} state @returns {Linked} */
export const linkedPart = (state) =>
  Object.fromEntries(FIELDS.filter((field) => !isLeftOut(state, field)).map((field) => [field, state[field]]));

/** What a link says nothing of: what is not given at all. @param {State} state @param {typeof FIELDS[number]} field */
function isLeftOut(state, field) {
  if (field === "source") return state.source === "";
  if (field === "inputs") return state.inputs.length === 0;
  if (field === "feeds" || field === "data") return Object.keys(state[field]).length === 0;
  return field === "seed" ? state.seed === 0 : field === "wrt" && state.wrt === null;
}

/** Whether two states have the same link. @param {Linked} a @param {Linked} b */
export const sameLink = (a, b) => FIELDS.every((field) => a[field] === b[field]);

/** What changes many times in a row, as one types, slides and moves. @type {readonly (typeof FIELDS[number])[]} */
const GRADUAL = ["source", "at", "inputs", "feeds", "data", "seed", "moved"];

/** Whether two states differ at most in what changes gradually. @param {Linked} a @param {Linked} b */
export const sameChoices = (a, b) => FIELDS.every((field) => GRADUAL.includes(field) || a[field] === b[field]);

/** What is shared besides: how far the page is, what stands in its dock. Each with what its values are like. */
const MOST_UPDATES = 10_000; // that a link makes again
const isPlace = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_UPDATES;
const isRecord = (/** @type {unknown} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
const TOOLS = ["optimizer", "curves", "output", "landscape", "race", "compare", "table", "outline", "ops"];
const SETTINGS = Object.entries(FIRST_SETTINGS);
/** @type {Record<string, (value: any) => boolean>} */
const SHARED = {
  cursor: isPlace,
  row: isPlace,
  settings: (value) =>
    isRecord(value) && SETTINGS.every(([field, plain]) => typeof value[field] === typeof plain || field === "ownRate"),
  dock: (value) => TOOLS.includes(value),
  dockOpen: (value) => typeof value === "boolean",
  tab: (value) => ["input", "graph", "step", "dock"].includes(value),
  language: (value) => LANGUAGES.includes(value),
  // what a tool of the dock was asked: a line for each part of the state
  curves: ({ scale } = {}) => ["linear", "log"].includes(scale),
  op: (value) => isRecord(value) && (value.name === null || typeof value.name === "string") && typeof value.query === "string",
  tables: areTableLooks,
  landscape: isRecord,
  race: isRecord,
  compare: isRecord,
};
/** @typedef {Partial<Pick<State, "cursor" | "row" | "settings" | "dock" | "dockOpen" | "tab" | "language">>} Place */

/** What a link that is handed on holds: all of the above. @param {State} state */
export const sharedPart = (state) => ({
  ...linkedPart(state),
  ...Object.fromEntries(Object.entries(state).filter(([field, value]) => field in SHARED && SHARED[field](value))),
});

/** The place on the page that a link holds. @param {unknown} found @returns {Place} */
export const placeIn = (found) =>
  Object.fromEntries(Object.entries(found ?? {}).filter(([field, value]) => field in SHARED && SHARED[field](value)));

/**
 * "#v1=…". Where that gets longer than an address may be (thousands of scopes are open), the link says nothing of how the
 * graph is looked at; "" where the text alone is too long.
 * @param {Linked} linked @returns {Promise<string>}
 */
export async function toHash(linked) {
  const own = Object.fromEntries(OWN_FIELDS.flatMap((field) => (field in linked ? [[field, linked[field]]] : [])));
  for (const part of [linked, own]) {
    const hash = await toFragment(part);
    if (hash.length <= LONGEST) return hash;
  }
  return "";
}

/**
 * What a link holds; null where the address holds none, or a broken one.
 * @param {string} hash @param {State} plain what each field is like
 * @returns {Promise<Linked | null>}
 */
export const fromHash = async (hash, plain) => fieldsOf(await fromFragment(hash), plain);

/** What is held by a link of either kind: what is opened, and the place in it. @param {unknown} found @param {State} plain */
export const heldBy = (found, plain) => {
  const linked = fieldsOf(found, plain);
  return linked && { linked, place: placeIn(found) };
};

/** The fields that are of the kind they should be. @param {unknown} found @param {State} plain @returns {Linked | null} */
function fieldsOf(found, plain) {
  if (typeof found !== "object" || found === null) return null;
  const entries = Object.entries(found).flatMap(([field, value]) => {
    const known = FIELDS.find((each) => each === field);
    const read = known && asIs(value, known, plain[known]);
    return read === undefined ? [] : [[field, read]];
  });
  return Object.fromEntries(entries);
}

/** @type {Partial<Record<typeof FIELDS[number], readonly string[]>>} */
const CHOICES = {
  dialect: ["auto", "math", "tf1", "tf2"],
  lanes: ["both", "forward", "backward"],
  level: ["mathematics", "tensorflow"],
  detail: ["tensorflow", "essentials"],
  direction: ["right", "down", "up"],
  colour: ["phase", "structure", "device"],
};

/** A value from outside, if it is like the plain one. @param {unknown} value @param {typeof FIELDS[number]} field @param {unknown} plain */
function asIs(value, field, plain) {
  if (plain instanceof Set) return texts(value) && new Set(texts(value));
  if (plain instanceof Map) return distances(value);
  if (field === "at") return numbers(value);
  if (field === "wrt") return training(value);
  if (field === "inputs") return texts(value);
  if (field === "feeds" || field === "data") return tensors(value, field === "data");
  if (field === "seed") return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32 ? value : undefined;
  if (typeof value !== typeof plain) return undefined;
  return CHOICES[field] && !CHOICES[field].includes(String(value)) ? undefined : value;
}

/** @param {unknown} value */
const texts = (value) => (Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined);

/** Numbers and lists of them, by name; texts where they may be CSV. @param {unknown} value @param {boolean} isData */
function tensors(value, isData) {
  if (!isRecord(value)) return undefined;
  const isSound = (/** @type {unknown} */ each) =>
    (isData && typeof each === "string") || [each].flat(Infinity).every((number) => Number.isFinite(number));
  return Object.fromEntries(Object.entries(/** @type {object} */ (value)).filter(([, each]) => isSound(each)));
}

/** @param {unknown} value */
function training(value) {
  if (typeof value !== "object" || value === null || !("of" in value) || !("trained" in value)) return undefined;
  return texts(value.of) && texts(value.trained) ? value : undefined;
}

/** @param {unknown} value */
function distances(value) {
  const sound = Array.isArray(value) && value.every((each) => typeof each?.[0] === "string" && isPair(each[1]));
  return sound ? new Map(value) : undefined;
}

/** @param {unknown} value */
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => Number.isFinite(each));

/** @param {unknown} value */
function numbers(value) {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => Number.isFinite(each)));
}
