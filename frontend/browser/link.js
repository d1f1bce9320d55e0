// Links: a text, the values given and how its graph is looked at, packed into the part of an address after the "#".
//
// It never reaches a server. What comes back from an address is somebody else's: only fields of the right kind are taken.

import { programRequest } from "../requests/request.js";
import { recipeOf } from "../runs/kept.js";
import { stagesOf } from "../runs/parts.js";
import { LOOK_FIELDS } from "../state/look.js";
import { INITIAL } from "../store.js";
import { isRecord, isRecipe, soundParts } from "./link_parts.js";
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
  if (field === "beside") return state.beside === null;
  return field === "seed" ? state.seed === 0 : field === "wrt" && state.wrt === null;
}

/** Whether two states have the same link. @param {Linked} a @param {Linked} b */
export const sameLink = (a, b) => FIELDS.every((field) => a[field] === b[field]);

/** What changes many times in a row, as one types, slides and moves. @type {readonly (typeof FIELDS[number])[]} */
const GRADUAL = ["source", "at", "inputs", "feeds", "data", "seed", "moved"];

/** Whether two states differ at most in what changes gradually. @param {Linked} a @param {Linked} b */
export const sameChoices = (a, b) => FIELDS.every((field) => GRADUAL.includes(field) || a[field] === b[field]);

/** @typedef {"cursor" | "row" | "settings" | "dock" | "dockOpen" | "tab" | "language" | "present" | "curves" | "tables" | "op" | "landscape" | "race" | "compare"} PlaceField */
/** @typedef {Partial<Pick<State, PlaceField>> & {stages?: import("../runs/parts.js").Stage[], kept?: import("../runs/kept.js").Recipe[]}} Place */

/** @type {readonly PlaceField[]} */
const PLACE = [
  "cursor",
  "row",
  "settings",
  "dock",
  "dockOpen",
  "tab",
  "language",
  "present",
  "curves",
  "tables",
  "op",
  "landscape",
  "race",
  "compare",
];
/** What every link that is handed on says, whatever it is. @type {readonly PlaceField[]} */
const ALWAYS = ["cursor", "settings", "dockOpen", "language"];

/** Whether two states are the same place of the page. @param {State} a @param {State} b */
export const samePlace = (a, b) => a.keptRuns === b.keptRuns && PLACE.every((field) => a[field] === b[field]);

/** What a link that is handed on holds besides: how far the page is, and what of its tools is not as at the beginning. @param {State} state */
export function sharedPart(state) {
  const kept = recipesIn(state);
  const isOther = (/** @type {PlaceField} */ field) => JSON.stringify(state[field]) !== JSON.stringify(INITIAL[field]);
  const place = PLACE.filter((field) => ALWAYS.includes(field) || isOther(field)).map((field) => [field, state[field]]);
  return {
    ...linkedPart(state),
    ...soundParts(Object.fromEntries(place)),
    ...soundParts(stages(state)),
    ...(kept.length > 0 && { kept }),
  };
}

/** How the runs were made that are kept beside the present one. @param {State} state */
export const recipesIn = (state) => state.keptRuns.map((each) => recipeOf(each, programRequest(state))).filter(isRecipe);

/** With what settings the rows were made; nothing where those are the present ones. @param {State} state */
function stages({ run, row, settings }) {
  const found = run ? stagesOf(run, row) : [];
  return found.length === 0 || (found.length === 1 && found[0].settings === settings) ? {} : { stages: found };
}

/** The place on the page that a link holds. @param {unknown} found @returns {Place} */
export const placeIn = (found) => soundParts(found);

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
  dialect: ["auto", "math", "tf1", "tf2", "torch", "jax"],
  lanes: ["both", "forward", "backward"],
  level: ["mathematics", "tensorflow", "torch", "jax"],
  beside: ["mathematics", "tensorflow", "torch", "jax"],
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
  if (typeof value !== typeof plain && field !== "beside") return undefined;
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
