// Strokes: the lines of a grid as edges of the scene, with their heads, widths and labels.

import { IN, OUT } from "./edges.js";
import { lineLabel } from "./labels.js";

/** @typedef {import("./types.js").Edge} Edge */
/** @typedef {import("./types.js").EdgeLabel} EdgeLabel */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./edges.js").Link} Link */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./items.js").Visible} Visible */

/**
 * The edges of one container.
 * @param {Visible} visible @param {Grid} grid
 * @param {(point: Point) => Point} onPage
 * @param {Item | null} [scope] the open scope, whose border the lines to its doors are drawn up to
 * @returns {Edge[]}
 */
export function edgesOf(visible, grid, onPage, scope = null) {
  /** @type {Set<string>} */
  const labelled = new Set();
  return [...grid.lines].map(([link, line]) => {
    const points = toBorder(link, line.map(onPage), scope);
    const text = lineLabel(link);
    const once = isUpright(points) ? link.from : `${link.from} ${points[0].x} ${points[0].y}`;
    const label = text === "" || labelled.has(once) || link.from !== link.source ? null : labelAt(text, points, visible.items.get(link.from));
    if (label) labelled.add(once);
    return {
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
      label,
    };
  });
}

/** Whether the line ends at its consumer, not at a scope's border on the way there. @param {Visible} visible @param {Link} link */
const endsHere = ({ items }, link) => !link.to.startsWith(OUT) && items.get(link.to)?.open !== true;

/** @param {Link} link @param {Point[]} points @param {Item | null} scope */
function toBorder({ from, to }, points, scope) {
  if (!scope) return points;
  const [left, right] = [scope.x, scope.x + scope.width];
  const nearest = (/** @type {Point} */ { x, y }) => ({ x: Math.abs(x - left) < Math.abs(x - right) ? left : right, y });
  const start = from.startsWith(IN) ? [nearest(points[0])] : [];
  const end = to.startsWith(OUT) ? [nearest(points[points.length - 1])] : [];
  return [...start, ...points, ...end];
}

/** The first point at some distance from the start. @param {Point[]} points */
const nextOf = (points) => points.find(({ x, y }) => Math.hypot(x - points[0].x, y - points[0].y) > 0.5) ?? points[0];

/** Whether a line leaves up or down. @param {Point[]} points */
const isUpright = (points) => Math.abs(nextOf(points).x - points[0].x) < 0.5;

/** Just above the line where it leaves, or beneath it in the lower half of its item. @param {string} text @param {Point[]} points @param {Item | undefined} item @returns {EdgeLabel} */
function labelAt(text, points, item) {
  const [start] = points;
  const next = nextOf(points);
  if (isUpright(points)) return { text, x: start.x + 5, y: next.y > start.y ? start.y + 10 : start.y - 5, anchor: "start" };
  const onward = next.x > start.x;
  const lower = item !== undefined && start.y > item.y + item.height / 2 + 1;
  return { text, x: start.x + (onward ? 6 : -6), y: start.y + (lower ? 12 : -5), anchor: onward ? "start" : "end" };
}

/** Thicker for larger tensors: 1.4 px for a scalar, 4 px for a million elements. @param {Link} link */
function widthOf({ elements, kind }) {
  if (kind === "control") return 1;
  return Math.min(4, 1.4 + 0.43 * Math.log10(Math.max(1, elements)));
}
