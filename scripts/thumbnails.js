// Small pictures of graphs: reads {name: {program, nodes, lesson}} from its input, writes {name: picture}.
//
// A picture is the page's own first layout, at level TensorFlow that of the essential nodes, scaled into a small box and rounded.

import { readFileSync } from "node:fs";

import { layoutGraph } from "../frontend/layout/layout.js";
import * as selectors from "../frontend/state/selectors.js";
import * as store from "../frontend/store.js";

/** @import { ApiNode, Program, Thumbnail } from "../frontend/types.js" */
/** @import { GraphModel } from "../frontend/layout/types.js" */

const WIDTH = 192;
const HEIGHT = 132;
const MARGIN = 8;
const LEAST_SCALE = 0.14; // of what is larger, the beginning is shown

/** @typedef {{program: Program, nodes: ApiNode[], lesson: import("../frontend/types.js").Lesson}} Graph `nodes`: the essential ones */

/** @param {Graph} graph */
function sceneOf({ program, nodes, lesson }) {
  store.state.value = store.INITIAL;
  store.update({ level: lesson.level, detail: "essentials", essentials: { of: program, nodes } });
  store.update(store.answered(store.state.value, program, { ...lesson, asked: lesson.level }));
  return layoutGraph(/** @type {GraphModel} */ (selectors.graphModel.value));
}

/** @param {Graph} graph @returns {Thumbnail} */
function thumbnailOf(graph) {
  const { page, items, edges } = sceneOf(graph);
  const fitting = Math.min((WIDTH - 2 * MARGIN) / page.width, (HEIGHT - 2 * MARGIN) / page.height, 1);
  const scale = Math.max(fitting, LEAST_SCALE);
  const left = Math.max(MARGIN, (WIDTH - page.width * scale) / 2);
  const top = Math.max(MARGIN, (HEIGHT - page.height * scale) / 2);
  const x = (/** @type {number} */ at) => Math.round(left + (at - page.x) * scale);
  const y = (/** @type {number} */ at) => Math.round(top + (at - page.y) * scale);
  const isTag = new Set(items.filter(({ kind }) => kind === "tag").map(({ id }) => id));
  const marks = items.flatMap(({ id, kind, phase, ...box }) => {
    const [from, to] = [x(box.x), y(box.y)];
    const size = [Math.max(2, x(box.x + box.width) - from), Math.max(2, y(box.y + box.height) - to)];
    return isTag.has(id) || from >= WIDTH || to >= HEIGHT ? [] : [/** @type {Thumbnail["marks"][number]} */ ([`${phase} ${kind}`, from, to, ...size])];
  });
  const shown = edges.filter(({ kind, from, to }) => kind === "data" && !isTag.has(from) && !isTag.has(to));
  const isSeen = (/** @type {{x: number, y: number}} */ point) => x(point.x) < WIDTH && y(point.y) < HEIGHT;
  const lines = shown
    .filter(({ points }) => points.some(isSeen))
    .map(({ phase, points }) => {
      const path = points.map((point) => `${x(point.x)} ${y(point.y)}`).filter((at, i, all) => at !== all[i - 1]);
      return /** @type {Thumbnail["lines"][number]} */ ([phase, `M${path.join("L")}`]);
    });
  return { width: WIDTH, height: HEIGHT, lines, marks };
}

/** @type {Record<string, Graph>} */
const graphs = JSON.parse(readFileSync(0, "utf8"));
const pictures = Object.entries(graphs).map(([name, graph]) => [name, thumbnailOf(graph)]);
process.stdout.write(JSON.stringify(Object.fromEntries(pictures)));
