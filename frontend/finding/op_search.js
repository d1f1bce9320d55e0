// Search among the ops: by name, by what other frameworks call them, by what they do in either language.

/** @import { OpDoc } from "../types.js" */

/** How well an op meets a text: 0 is its very name, Infinity not at all. @param {OpDoc} op @param {string} text in lower case */
function rankOf({ name, names, doc, doc_zh: docZh }, text) {
  const own = name.toLowerCase();
  const others = Object.values(names).map((each) => each.toLowerCase());
  const plain = others.map((each) => each.replace(/^.*\./, ""));
  if (own === text || others.includes(text)) return 0;
  if (plain.includes(text)) return 1;
  if (own.startsWith(text)) return 2;
  if (plain.some((each) => each.startsWith(text))) return 3;
  if ([own, ...others].some((each) => each.includes(text))) return 4;
  return [doc, docZh].some((each) => each.toLowerCase().includes(text)) ? 5 : Infinity;
}

/** The ops that a text finds, best first, else by name; all for none. @param {readonly OpDoc[]} ops @param {string} query @returns {OpDoc[]} */
export function opsFound(ops, query) {
  const text = query.trim().toLowerCase();
  if (text === "") return [...ops];
  return ops
    .map((op) => ({ op, rank: rankOf(op, text) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.op.name.length - b.op.name.length || (a.op.name < b.op.name ? -1 : 1))
    .map(({ op }) => op);
}

const LABELLED = /^\s*(Shapes[^:]*|Range|Domain|Source):\s*(.*)$/;

/**
 * An op's documentation taken apart: what it does, and its shapes, which are written alike in every language.
 * @param {Pick<OpDoc, "doc" | "doc_zh">} op @returns {{says: string, saysZh: string, shapes: string, source: string}}
 */
export function partsOfDoc({ doc, doc_zh: docZh }) {
  const lines = doc.replace(/\s(Shapes[^.:]*:)/, "\n$1").split("\n");
  /** @type {Record<string, string>} */
  const found = {};
  const says = [];
  for (const line of lines) {
    const [, label, text] = LABELLED.exec(line) ?? [];
    if (label?.startsWith("Shapes")) [found.shapes, found.rest] = firstSentence(label.slice("Shapes".length), text);
    else if (label === "Source") found.source = text;
    else if (line.trim()) says.push(line.trim());
  }
  const rest = found.rest ? [found.rest] : [];
  return { says: [...says, ...rest].join(" "), saysZh: docZh, shapes: found.shapes ?? "", source: found.source ?? "" };
}

/** Shapes end with a full stop before a capital letter; what follows is said of the op. @param {string} when @param {string} text */
function firstSentence(when, text) {
  const end = text.search(/\.\s+[A-Z]/);
  const shapes = end < 0 ? text : text.slice(0, end + 1);
  return [`${when.trim()} ${shapes.replace(/\.$/, "")}`.trim(), end < 0 ? "" : text.slice(end + 1).trim()];
}
