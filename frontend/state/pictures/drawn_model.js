// What is drawn of a program's graph: its nodes under the learner's names, with what it differentiates.

import { standingFor } from "../../layout/graph/part.js";
import { learnersNames, nodeOf } from "../lesson.js";

/** @import { ApiNode, Program } from "../../types.js" */
/** @typedef {import("../mathematics/picture.js").Picture["parts"]} Parts */

/**
 * The model of some of a program's nodes, without what the look decides.
 * @param {Program} program @param {readonly ApiNode[]} nodes in the detail asked for
 */
export function modelOf(program, nodes) {
  const names = learnersNames(program);
  const gradients = program.gradients.map((gradient) => ({
    ...gradient,
    name: names.get(nodeOf(gradient.x)) ?? gradient.name,
    tensor: gradient.tensor && standingFor(gradient.tensor, program.graph.nodes, nodes),
  }));
  return { nodes, target: program.target, names, gradients };
}

/** The model of a picture at level Mathematics. @param {readonly ApiNode[]} nodes @param {Parts} parts */
export const modelOfParts = (nodes, parts) => ({ nodes, target: null, names: labelsOf(parts), gradients: [] });

/** What the parts of a picture are called. @param {Parts} parts @returns {ReadonlyMap<string, string>} */
export const labelsOf = (parts) => new Map([...parts.values()].map(({ id, label }) => [id, label]));
