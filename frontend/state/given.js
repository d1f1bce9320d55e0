// What a program is given besides its text: values of placeholders, tables of numbers, a seed.

import { trainedIn } from "./training.js";

/** @import { ApiNode, Program } from "../types.js" */
/** @import { Nested } from "../values/typed_tensor.js" */
/** @typedef {Readonly<Record<string, Nested>>} Feeds  by the placeholder's node */
/** @typedef {Readonly<Record<string, Nested | string>>} DataSets  numbers, or CSV; by the name that the program knows them by */

/** A text that is opened comes with nothing. */
export const NOTHING_GIVEN = Object.freeze({
  inputs: /** @type {readonly string[]} */ ([]),
  feeds: /** @type {Feeds} */ ({}),
  data: /** @type {DataSets} */ ({}),
  seed: 0,
});

const PLACEHOLDERS = new Set(["Placeholder", "PlaceholderWithDefault"]);
const DRAWS = /^(Random|TruncatedNormal|ParameterizedTruncatedNormal|Multinomial|Stateless|Dropout)/;
const DRAWING = /\b(random\w*|rand|randn|randint|shuffle|dropout|Dropout|Dense|dense|choice|normal|uniform|initializer)\b/;
const ASKS = /\b(gradients?|minimize|compute_gradients|backward|grad|value_and_grad|jacobian|fit|train_on_batch)\s*\(/;

/** The placeholders of a program, in order. @param {Program} program @returns {ApiNode[]} */
export const placeholdersOf = ({ graph }) => graph.nodes.filter(({ op }) => PLACEHOLDERS.has(op));

/** Whether a node of a graph from a file takes a value from outside: a variable's is its own, and not fed. @param {ApiNode} node */
export const isGivenInFile = ({ op }) => PLACEHOLDERS.has(op) || op === "VariableV2";

/** Whether a program's numbers may depend on a seed. @param {Program} program @param {string} source */
export const drawsNumbers = ({ graph, dialect }, source) =>
  dialect !== "math" && (graph.nodes.some(({ op }) => DRAWS.test(op)) || DRAWING.test(source));

/** Values of the placeholders that there are; those of a text with a mistake may be wanted again. @param {Feeds} feeds @param {Program} answer @returns {Feeds} */
export function feedsInUse(feeds, answer) {
  if (answer.status !== "ok") return feeds;
  const names = new Set(placeholdersOf(answer).map(({ name }) => name));
  const entries = Object.entries(feeds).filter(([name]) => names.has(name));
  return entries.length === Object.keys(feeds).length ? feeds : Object.fromEntries(entries);
}

/**
 * The variables of a program whose gradients are added for it, each with whether it is trained; none of a program that asks
 * for gradients itself.
 * @param {Program} program @param {string} source @returns {{name: string, isTrained: boolean}[]}
 */
export function variablesToTrain(program, source) {
  if (program.dialect === "math" || program.target === null || ASKS.test(source)) return [];
  const trained = trainedIn(program);
  return program.bindings.flatMap(({ kind, name }) =>
    kind === "variable" && name ? [{ name, isTrained: trained.has(name) }] : [],
  );
}
