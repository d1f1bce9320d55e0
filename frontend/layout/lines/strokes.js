// Strokes: the lines of a grid as edges of the scene, with their heads and widths.

import { IN, OUT } from "../items/edges.js";
import { lineLabel } from "../items/labels.js";

/** @import { Edge, Item, Point } from "../types.js" */
/** @import { Link } from "../items/edges.js" */
/** @import { Grid } from "../grid/grid.js" */
/** @import { Visible } from "../items/items.js" */
/** @import { Turn } from "../turn.js" */

/**
 * The edges of one container, still without labels.
 * @param {Visible} visible @param {Grid} grid
 * @param {(point: Point) => Point} onPage @param {Turn} turn
 * @param {Item | null} [scope] the open scope, whose border the lines to its doors are drawn up to
 * @returns {Array<{edge: Edge, text: string}>} `text`: of the label that it wants, "" for none
 */
export function edgesOf(visible, grid, onPage, turn, scope = null) {
  /** @type {Set<string>} */
  const labelled = new Set();
  return [...grid.lines].map(([link, line]) => {
    const points = toBorder(link, line.map(onPage), scope, turn);
    const once = `${link.from} ${points[0].x} ${points[0].y}`;
    const text = labelled.has(once) || link.from !== link.source ? "" : lineLabel(link);
    if (text) labelled.add(once);
    const edge = {
      id: `${scope?.id ?? ""} ${link.from} ${link.to} ${link.net} ${link.slot}`,
      kind: link.kind,
      phase: link.phase,
      from: link.source,
      to: link.target,
      points,
      head: endsHere(visible, link) && link.kind !== "reference",
      tail: link.kind === "reference" && !link.from.startsWith(IN) && link.from === link.source,
      count: link.count,
      width: widthOf(link),
      title: link.title,
      label: null,
    };
    return { edge, text };
  });
}

/** Whether the line ends at its consumer, not at a scope's border or a factor on the way there. @param {Visible} visible @param {Link} link */
function endsHere({ items }, link) {
  const consumer = items.get(link.to);
  return !link.to.startsWith(OUT) && consumer?.open !== true && consumer?.kind !== "factor";
}

/** @param {Link} link @param {Point[]} points @param {Item | null} scope @param {Turn} turn */
function toBorder({ from, to }, points, scope, { upright }) {
  if (!scope) return points;
  const axis = upright ? "y" : "x";
  const [low, high] = [scope[axis], scope[axis] + (upright ? scope.height : scope.width)];
  const nearest = (/** @type {Point} */ point) => ({
    ...point,
    [axis]: Math.abs(point[axis] - low) < Math.abs(point[axis] - high) ? low : high,
  });
  const start = from.startsWith(IN) ? [nearest(points[0])] : [];
  const end = to.startsWith(OUT) ? [nearest(points[points.length - 1])] : [];
  return [...start, ...points, ...end];
}

/** Thicker for larger tensors: 1.4 px for a scalar, 4 px for a million elements. @param {Link} link */
function widthOf({ elements, kind }) {
  if (kind === "control") return 1;
  return Math.min(4, 1.4 + 0.43 * Math.log10(Math.max(1, elements)));
}
