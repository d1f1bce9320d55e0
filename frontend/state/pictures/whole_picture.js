// All of a program's graph as a picture, when everything is known: for who has no page to look at.
//
// The server runs this module where it makes a picture itself, so that its pictures stand as the page's do. What comes
// out is plain: numbers, texts and the paths of lines.

import { setAside, withoutNodes } from "../../finding/aside.js";
import { pathOf } from "../../geometry/path.js";
import { withForward } from "../../layout/graph/phases.js";
import { scopesToOpen, scopeTree } from "../../layout/graph/scopes.js";
import { styleOf } from "../../layout/items/edges.js";
import { layoutGraph } from "../../layout/layout.js";
import { inRows } from "../../layout/rows/rows.js";
import { modelOf, modelOfParts } from "./drawn_model.js";
import { knownAfter } from "../lesson.js";
import { withNodes } from "../levels.js";
import { knownOf } from "../mathematics/known.js";
import { pictureOf } from "../mathematics/picture.js";

/** @import { Direction, Edge, Item } from "../../layout/types.js" */
/** @import { ApiNode, FrameworkGraph, Program, Step } from "../../types.js" */
/** @import { Known } from "../lesson.js" */

const ROOM = { width: 1400, height: 900 }; // px: a longer picture is broken into rows
const ALL = "*"; // scopes and series
const UNSOUND = "⚠ "; // before a value that is not finite, or has such elements

/**
 * What is drawn, and how.
 * @typedef {object} Asked
 * @property {Program} program
 * @property {readonly ApiNode[]} nodes        in the detail asked for
 * @property {readonly Step[]} [steps]         of a lesson at level Mathematics, which is then drawn
 * @property {FrameworkGraph | null} [graph]   of another framework, which is then drawn
 * @property {readonly string[] | null} [open] scopes; those that are open at first where not given, "*" for all
 * @property {Direction} [direction]           in which the forward graph runs
 * @property {string} none                     the word for a gradient that there is not
 */

/** @param {Asked} asked */
export function wholePicture({ program, nodes, steps = [], graph, open: asked, direction = "right", none }) {
  const { model, known } =
    steps.length > 0
      ? asMathematics(program, steps)
      : graph
        ? asNodes(withNodes(program, graph), graph.nodes)
        : asNodes(program, nodes);
  const open = scopesAsked(model.nodes, asked ?? null);
  const scene = inRows(layoutGraph({ ...model, open, direction, ...(open.size > 0 && { room: ROOM }) }), ROOM);
  return {
    page: scene.page,
    items: scene.items.map((item) => drawnItem(item, known, none)),
    edges: scene.edges.map((edge) => drawnEdge(edge, direction !== "right")),
    bands: scene.bands,
    ribbons: scene.ribbons,
  };
}

/** @param {readonly ApiNode[]} nodes @param {readonly string[] | null} asked @returns {Set<string>} */
function scopesAsked(nodes, asked) {
  if (asked?.includes(ALL)) return new Set(scopeTree(nodes).scopes.keys());
  return new Set(asked ?? scopesToOpen(nodes));
}

/** @param {Program} program @param {readonly ApiNode[]} detailed */
function asNodes(program, detailed) {
  const nodes = withForward(detailed);
  const model = modelOf(program, withoutNodes(nodes, setAside(nodes, new Set())));
  return { model, known: knownAfter(program, [], 0) };
}

/** @param {Program} program @param {readonly Step[]} steps */
function asMathematics(program, steps) {
  const picture = pictureOf(program, steps);
  const place = { steps, cursor: steps.length, isOwn: true, isWhole: false };
  return {
    model: modelOfParts(picture.nodes, picture.parts),
    known: knownOf(picture, knownAfter(program, steps, steps.length), place),
  };
}

/** @param {Item} item @param {Known} known @param {string} none */
function drawnItem(item, { values, strips }, none) {
  const { kind, phase, open, title, label, titleX, valued, x, y, width, height, constants, name } = item;
  const strip = strips.get(name);
  const text = kind === "tag" && name === "" ? none : (values.get(name) ?? "");
  const isSound = strip?.sound ?? true;
  return {
    ...{ kind, phase, open, title, label, titleX, valued, x, y, width, height, constants },
    stacked: item.holds !== null,
    value: isSound ? text : UNSOUND + text,
    sound: isSound,
    cells: (strip?.cells ?? []).map((cell) => (Number.isNaN(cell) ? null : cell)),
  };
}

/** @param {Edge} edge @param {boolean} upright */
function drawnEdge(edge, upright) {
  const { kind, points, head, tail, width, title, label } = edge;
  const meet = kind === "control" || !head; // dashes are counted from where lines run as one, as on the page
  const path = pathOf(meet ? points.toReversed() : points, upright);
  return { style: styleOf(edge), path, start: meet ? head : tail, end: meet ? tail : head, width, title, label };
}
