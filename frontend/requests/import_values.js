// The values of a graph from a file: what its placeholders and variables are given, and all that follows from them.

import { postImportValues } from "../api.js";
import { nodeOf } from "../state/lesson.js";
import { state, update } from "../store.js";
import { LatestRequest } from "./latest_request.js";
import { failed } from "./request.js";

/** @import { ImportedValues, Lesson } from "../types.js" */
/** @import { Nested } from "../values/typed_tensor.js" */

const VARIABLE = "VariableV2";

/** The values of the graph that is drawn. */
const question = new LatestRequest();

/** Give a placeholder or a variable a value, and compute what follows. @param {string} name @param {Nested | null} value  null: none */
export function giveToGraph(name, value) {
  const { [name]: _, ...others } = state.value.feeds;
  update({ feeds: value === null ? others : { ...others, [name]: value } });
  return computeGraph();
}

/** Compute all that can be computed of what the graph is given. */
export const computeGraph = () => question.start(compute);

/** @param {AbortSignal} signal */
async function compute(signal) {
  const { program, feeds } = state.value;
  if (!program?.imported) return;
  update({ busy: true, trouble: null });
  const answer = await postImportValues(program.imported, given(program, feeds), signal).catch(failed);
  if (signal.aborted) return;
  if (state.value.program !== program) return;
  update({ busy: false, ...(answer && { lessonValues: byNode(answer), fileValues: { of: program, answer } }) });
}

/** What is given, as it is asked: a variable's value is another thing than what is fed. @param {import("../types.js").Program} program @param {import("../state/given.js").Feeds} all */
function given({ graph }, all) {
  const isVariable = new Set(graph.nodes.flatMap(({ name, op }) => (op === VARIABLE ? [name] : [])));
  const entries = Object.entries(all);
  return {
    feeds: Object.fromEntries(entries.filter(([name]) => !isVariable.has(name))),
    variables: Object.fromEntries(entries.filter(([name]) => isVariable.has(name))),
  };
}

/** The value of each node's first output. @param {ImportedValues} answer @returns {Lesson["values"]} */
const byNode = ({ values }) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([tensor, value]) => (tensor.endsWith(":0") ? [[nodeOf(tensor), value]] : [])),
  );
