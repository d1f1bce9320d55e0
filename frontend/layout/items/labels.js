// What is written on the drawing: names as learners read them, values of constants, shapes.

import { formatValue } from "../../values/format.js";
import { leaf, nodeOf } from "../graph/names.js";

/** @import { ApiGradient, ApiNode } from "../types.js" */
/** @import { ScopeTree } from "../graph/scopes.js" */

/**
 * What a node is called on the drawing: by its label; an op "Sin", "a = mul" where the learner named it, "(x)" inside the scope x.
 * @param {ScopeTree} tree @param {ReadonlyMap<string, string>} names @param {ApiNode} node
 */
export function opLabel(tree, names, node) {
  if (node.label !== undefined) return node.label;
  const own = leaf(node.name);
  if (tree.scopes.has(node.name)) return `(${own})`;
  const given = names.get(node.name);
  if (given === undefined || given === own) return own;
  return isSource(node) ? given : `${given} = ${own}`;
}

/**
 * What a scope is called: a variable's by the learner's name for it.
 * @param {ScopeTree} tree @param {ReadonlyMap<string, string>} names @param {string} scope
 */
export function scopeLabel(tree, names, scope) {
  const i = tree.index.get(scope);
  const variable = i !== undefined && isSource(tree.nodes[i]);
  return (variable && names.get(scope)) || leaf(scope);
}

/** Whether a node only holds a value: a variable, a placeholder, a constant. @param {ApiNode} node */
export const isSource = (node) => /^(Variable|VarHandle|Placeholder|Const$)/.test(node.op);

/**
 * What stands on a constant's pill: its value where that is short, else its name and shape.
 * @param {ApiNode} node @param {ReadonlyMap<string, string>} names
 */
export function constantLabel(node, names) {
  const given = names.get(node.name);
  const value = node.stub ? null : shortValue(node.value);
  if (given !== undefined) return value === null ? `${given} ${shapeLabel(node, 0)}`.trim() : given;
  return value ?? `${leaf(node.name)} ${shapeLabel(node, 0)}`.trim();
}

/** A short value, or null. @param {unknown} value */
function shortValue(value) {
  const data = value !== null && typeof value === "object" && "data" in value ? value.data : value;
  if (typeof data === "number" || typeof data === "string") return formatValue(data);
  if (!Array.isArray(data) || data.some((each) => Array.isArray(each))) return null;
  const text = formatValue(data);
  return text.length <= 9 ? text : null;
}

/**
 * The static shape of an output, "4×3"; "" for a scalar, "?" for an unknown rank or size.
 * @param {ApiNode} node @param {number} output
 */
export function shapeLabel(node, output) {
  const shape = node.outputs[output]?.shape;
  if (shape === null) return "?";
  return (shape ?? []).map((size) => (size === null || size < 0 ? "?" : String(size))).join("×");
}

/** How many elements an output has; an unknown size counts as 1. @param {ApiNode} node @param {number} output */
export function elements(node, output) {
  const shape = node.outputs[output]?.shape ?? [];
  return shape.reduce((product, size) => (product ?? 1) * Math.max(1, size ?? 1), 1) ?? 1;
}

/** What stands on a line: "4×3"; "(×2)" for a bundle of two; both for two of one shape. @param {import("./edges.js").Link} link */
export function lineLabel({ shape, count, kind, to }) {
  const bundle = count > 1 && !to.startsWith("out>") ? `(×${count})` : "";
  return kind === "data" || kind === "borrowed" ? `${shape} ${bundle}`.trim() : bundle;
}

/**
 * The name of a derivative: "dy/dx", "∂loss/∂w" of several, "d²y/dx²" where y is itself a derivative.
 * @param {ApiGradient} gradient
 * @param {ReadonlyArray<ApiGradient>} all
 * @param {ReadonlyMap<string, string>} names
 */
export function derivativeLabel(gradient, all, names) {
  const chain = chainOf(gradient, all);
  const outer = chain[chain.length - 1].y;
  const top = nameOf(outer, names);
  const below = chain.map(({ x, name }) => name || nameOf(x, names)).reverse();
  const alone = new Set(all.filter(({ y }) => y === gradient.y).map(({ x }) => x)).size < 2;
  const d = alone && new Set(below).size < 2 ? "d" : "∂";
  if (chain.length === 1) return `${d}${top}/${d}${below[0]}`;
  const power = superscript(chain.length);
  const under = new Set(below).size < 2 ? `${d}${below[0]}${power}` : below.map((x) => d + x).join("");
  return `${d}${power}${top}/${under}`;
}

/** The gradient, the one whose result it differentiates, and so on. @param {ApiGradient} first @param {ReadonlyArray<ApiGradient>} all */
function chainOf(first, all) {
  const chain = [first];
  for (let next = first; chain.length < 9; chain.push(next)) {
    const inner = all.find(({ tensor }) => tensor === next.y);
    if (!inner || chain.includes(inner)) break;
    next = inner;
  }
  return chain;
}

/** @param {string} tensor @param {ReadonlyMap<string, string>} names */
const nameOf = (tensor, names) => names.get(nodeOf(tensor)) ?? leaf(nodeOf(tensor));

/** @param {number} n */
const superscript = (n) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[n];
