// Small pictures of graphs: reads {name: {program, nodes}} from its input, writes {name: picture}.
//
// A picture is the page's own first layout of the essential nodes, without the tags, scaled into a small box and rounded.

import { readFileSync } from "node:fs";

import { layoutGraph } from "../frontend/layout/layout.js";
import * as selectors from "../frontend/state/selectors.js";
import * as store from "../frontend/store.js";

/** @import { ApiNode, Program, Thumbnail } from "../frontend/types.js" */
/** @import { GraphModel } from "../frontend/layout/types.js" */

const WIDTH = 192;
const HEIGHT = 132;
const MARGIN = 8;

/** @param {Program} program @param {ApiNode[]} nodes the essential ones */
function sceneOf(program, nodes) {
  store.state.value = store.INITIAL;
  store.update({ detail: "essentials", essentials: { of: program, nodes } });
  store.update(store.answered(store.state.value, program, []));
  return layoutGraph(/** @type {GraphModel} */ (selectors.graphModel.value));
}

/** @param {Program} program @param {ApiNode[]} nodes @returns {Thumbnail} */
function thumbnailOf(program, nodes) {
  const { page, items, edges } = sceneOf(program, nodes);
  const scale = Math.min((WIDTH - 2 * MARGIN) / page.width, (HEIGHT - 2 * MARGIN) / page.height, 1);
  const [left, top] = [(WIDTH - page.width * scale) / 2, (HEIGHT - page.height * scale) / 2];
  const x = (/** @type {number} */ at) => Math.round(left + (at - page.x) * scale);
  const y = (/** @type {number} */ at) => Math.round(top + (at - page.y) * scale);
  const isTag = new Set(items.filter(({ kind }) => kind === "tag").map(({ id }) => id));
  const marks = items.flatMap(({ id, kind, phase, ...box }) => {
    const [from, to] = [x(box.x), y(box.y)];
    const size = [Math.max(2, x(box.x + box.width) - from), Math.max(2, y(box.y + box.height) - to)];
    return isTag.has(id) ? [] : [/** @type {Thumbnail["marks"][number]} */ ([`${phase} ${kind}`, from, to, ...size])];
  });
  const shown = edges.filter(({ kind, from, to }) => kind === "data" && !isTag.has(from) && !isTag.has(to));
  const lines = shown.map(({ phase, points }) => {
    const path = points.map((point) => `${x(point.x)} ${y(point.y)}`).filter((at, i, all) => at !== all[i - 1]);
    return /** @type {Thumbnail["lines"][number]} */ ([phase, `M${path.join("L")}`]);
  });
  return { width: WIDTH, height: HEIGHT, lines, marks };
}

/** @type {Record<string, {program: Program, nodes: ApiNode[]}>} */
const graphs = JSON.parse(readFileSync(0, "utf8"));
const pictures = Object.entries(graphs).map(([name, { program, nodes }]) => [name, thumbnailOf(program, nodes)]);
process.stdout.write(JSON.stringify(Object.fromEntries(pictures)));
