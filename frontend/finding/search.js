// Search: the nodes and scopes that a few typed characters mean.
//
// "sin" is a part of a name, of the learner's own name, or of an op; /^grad.*mul$/ a regular expression on the
// full name; "=NaN", ">2", "<=-1" a condition on the value, which one element of a tensor is enough to meet.

import { leaf } from "../layout/graph/names.js";
import { scopeTree } from "../layout/graph/scopes.js";
import { dataOf } from "../values/format.js";

/** @import { ApiNode } from "../types.js" */
/** @typedef {{name: string, detail: string}} Hit  `detail`: the op; "" of a scope */
/**
 * What is searched.
 * @typedef {object} Place
 * @property {readonly ApiNode[]} nodes
 * @property {ReadonlyMap<string, string>} names       node name -> the learner's own name
 * @property {(node: ApiNode) => unknown} valueOf      what is known of its value; undefined: nothing yet
 */

/** @type {Record<string, (value: number, bound: number) => boolean>} */
const CONDITIONS = {
  "=": (value, bound) => Object.is(value, bound) || value === bound,
  "!=": (value, bound) => !Object.is(value, bound) && value !== bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
};
const CONDITION = /^(!=|>=|<=|=|>|<)\s*(\S+)$/;

/**
 * The hits, best first, program order among equals; none for an empty query or a broken regular expression.
 * @param {Place} place @param {string} query
 * @returns {Hit[]}
 */
export function search(place, query) {
  const asked = query.trim();
  const condition = CONDITION.exec(asked);
  if (condition) return byValue(place, CONDITIONS[condition[1]], numberOf(condition[2]));
  if (/^\/.+\/?$/.test(asked)) return byPattern(place, asked.slice(1).replace(/\/$/, ""));
  return asked === "" ? [] : byText(place, asked.toLowerCase());
}

/** @param {Place} place @param {(value: number, bound: number) => boolean} meets @param {number | null} bound */
function byValue({ nodes, valueOf }, meets, bound) {
  if (bound === null) return [];
  return nodes.filter((node) => someNumber(valueOf(node), (value) => meets(value, bound))).map(hitOf);
}

/** @param {Place} place @param {string} pattern */
function byPattern(place, pattern) {
  const expression = compiled(pattern);
  return expression ? everything(place).filter(({ name }) => expression.test(name)) : [];
}

/** @param {string} pattern */
function compiled(pattern) {
  try {
    return new RegExp(pattern, "i");
  } catch {
    return null; // half typed
  }
}

/** @param {Place} place @param {string} text in lower case */
function byText(place, text) {
  return everything(place)
    .map((hit) => ({ hit, rank: rankOf(hit, place.names.get(hit.name) ?? "", text) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit }) => hit);
}

/** How well a hit meets a text: 0 is its very name. @param {Hit} hit @param {string} given @param {string} text */
function rankOf({ name, detail }, given, text) {
  const [whole, last, own, op] = [name, leaf(name), given, detail].map((each) => each.toLowerCase());
  if (own === text || whole === text) return 0;
  if (last === text) return 1;
  if (op === text) return 2;
  if (last.startsWith(text) || own.startsWith(text)) return 3;
  return [whole, own, op].some((each) => each.includes(text)) ? 4 : Infinity;
}

/** All nodes, then all scopes that are not nodes too. @param {Place} place @returns {Hit[]} */
function everything({ nodes }) {
  const { scopes, index } = scopeTree(nodes);
  const others = [...scopes.keys()].filter((name) => !index.has(name));
  return [...nodes.map(hitOf), ...others.map((name) => ({ name, detail: "" }))];
}

/** @param {ApiNode} node @returns {Hit} */
const hitOf = ({ name, op }) => ({ name, detail: op });

/** Whether a value, or one element of it, is a number that fits. @param {unknown} value @param {(value: number) => boolean} fits @returns {boolean} */
function someNumber(value, fits) {
  const data = dataOf(/** @type {import("../types.js").Value} */ (value));
  if (Array.isArray(data)) return data.some((each) => someNumber(each, fits));
  const number = typeof data === "number" ? data : typeof data === "string" ? WORDS.get(data) : undefined;
  return number !== undefined && fits(number);
}

/** What the server writes for numbers that JSON lacks, and what people type for them. */
const WORDS = new Map([
  ["nan", NaN],
  ["inf", Infinity],
  ["-inf", -Infinity],
]);

/** A typed number: "2", "−1e-3", "NaN", "∞"; null for anything else. @param {string} text */
function numberOf(text) {
  const plain = text.toLowerCase().replace("−", "-").replace("∞", "inf").replace("infinity", "inf");
  const known = WORDS.get(plain);
  if (known !== undefined) return known;
  return plain === "" || Number.isNaN(Number(plain)) ? null : Number(plain);
}
