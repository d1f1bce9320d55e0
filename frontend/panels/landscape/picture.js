// What a landscape's picture shows at this moment, as shapes: those that stay while a point moves, and those that go with it.

import { arrowMarks, contourMarks, endsOf } from "../../charts/contours.js";
import { curveMarks, shownValues, tangentMarks } from "../../charts/curve.js";
import { axisMarks, isInside, outline } from "../../charts/frame.js";
import { between, nearest } from "../../charts/grid.js";
import { inflections } from "../../charts/inflections.js";
import { heightsOf, placeOf, RAMPS } from "../../charts/levels.js";
import { handleMarks, placeAt, pointMarks, RUNS, trailMarks, updateMarks } from "../../charts/marks.js";
import { floorMarks, projectionOf, surfaceMarks } from "../../charts/surface.js";
import { overlaps } from "../../geometry/box.js";
import { textWidth } from "../../geometry/text.js";
import { nameOf } from "../../state/landscape.js";
import { state, t } from "../../store.js";
import { formatNumber } from "../../values/format.js";

/** @import { Frame, Mark, PathMark } from "../../charts/frame.js" */
/** @import { Grid, LandscapeFacts } from "../../charts/grid.js" */
/** @import { Place } from "../../charts/marks.js" */
/** @import { Axis } from "../../state/landscape.js" */
/** @typedef {{width: number, height: number}} Size */

const NAME_PX = 12; // how high the names of points are
const ROOM = { left: 62, right: 16, top: 24, bottom: 36 }; // px around the frame

/** Where the picture's numbers stand. @param {Grid} grid @param {Size} size @returns {Frame} */
export function frameOf(grid, { width, height }) {
  const [x, y = shownValues(grid.values)] = endsOf(grid);
  const { left, right, top, bottom } = ROOM;
  return { left, top, width: Math.max(40, width - left - right), height: Math.max(40, height - top - bottom), x, y };
}

/** Whether the surface is seen from the side. @param {Grid} grid */
export const isSeenFromSide = (grid) => state.value.landscape.isSurface && grid.axes.length === 2;

/** Where two numbers stand on the screen; a curve's second number is its value. @param {Grid} grid @param {Size} size @returns {(x: unknown, y: unknown) => Place | null} */
function placing(grid, size) {
  const frame = frameOf(grid, size);
  const heights = heightsOf(grid.values);
  if (!isSeenFromSide(grid) || !heights) return (x, y) => placeAt(frame, x, y);
  const project = projectionOf(grid, state.value.landscape, size);
  const inside = (/** @type {unknown} */ value, /** @type {number} */ axis) =>
    typeof value === "number" && value >= endsOf(grid)[axis][0] && value <= endsOf(grid)[axis][1];
  return (x, y) =>
    inside(x, 0) && inside(y, 1)
      ? project(Number(x), Number(y), placeOf(heights, nearest(grid, grid.values, Number(x), Number(y))))
      : null;
}

/** What stays while the point moves. @param {Grid} grid @param {LandscapeFacts} answer @param {Size} size @param {boolean} isDark @returns {Mark[]} */
export function stillMarks(grid, answer, size, isDark) {
  const heights = heightsOf(grid.values);
  const frame = frameOf(grid, size);
  const [across, up] = grid.axes.map(({ variable }) => variable);
  const axes = axisMarks(frame, { x: across, y: up ?? t("landscape.target") }, formatNumber);
  if (!heights) return axes;
  const ramp = RAMPS[isDark ? "dark" : "light"];
  if (!up) return [...axes, ...curveMarks(frame, grid), ...named(grid, answer, size)];
  if (isSeenFromSide(grid)) {
    const project = projectionOf(grid, state.value.landscape, size);
    const surface = surfaceMarks(grid, heights, ramp, state.value.landscape, project);
    return [...floorMarks(grid, project), ...surface, ...named(grid, answer, size)];
  }
  const arrows = state.value.landscape.hasArrows ? arrowMarks(frame, grid) : [];
  const border = /** @type {Mark} */ ({ kind: "path", d: outline(frame), stroke: "--line", width: 1 });
  return [...axes, ...contourMarks(frame, grid, heights, ramp), border, ...arrows, ...named(grid, answer, size)];
}

/** The critical points and inflections as a table lists them. @param {Grid} grid @param {LandscapeFacts} answer @returns {{kind: import("../../charts/marks.js").Kind, at: number[], value: number, isNear: boolean}[]} */
export function pointsOf(grid, answer) {
  const critical = answer.points.map(({ kind, at, value }) => ({
    ...{ kind, isNear: false, value: Number(value) },
    at: grid.axes.map(({ variable }) => Number(at[variable])),
  }));
  if (grid.axes.length > 1) return critical;
  const [xs, slopes] = [[...grid.axes[0].values], [...grid.slopes[0]]];
  const bends = inflections(xs, grid.values, slopes).filter((x) =>
    critical.every(({ at }) => Math.abs(at[0] - x) > xs[1] - xs[0]),
  );
  return [
    ...critical,
    ...bends.map((x) => ({
      kind: /** @type {const} */ ("inflection"),
      at: [x],
      value: between(grid, x)?.value ?? NaN,
      isNear: true,
    })),
  ];
}

/** @param {Grid} grid @param {LandscapeFacts} answer @param {Size} size @returns {Mark[]} */
function named(grid, answer, size) {
  const place = placing(grid, size);
  const { top, height } = frameOf(grid, size);
  const bottom = isSeenFromSide(grid) ? Infinity : top + height;
  const marks = pointsOf(grid, answer).flatMap(({ kind, at: [x, y], value }) => {
    const found = place(x, y ?? value);
    return found ? pointMarks(kind, found, t(`landscape.${kind}`), bottom) : [];
  });
  return legible(marks);
}

/** Without the names that have no room beside those before them: the table has them all. @param {readonly Mark[]} marks @returns {Mark[]} */
function legible(marks) {
  /** @type {import("../../geometry/viewport.js").Box[]} */
  const written = [];
  return marks.filter((mark) => {
    if (mark.kind !== "text") return true;
    const width = textWidth(mark.text, NAME_PX);
    const box = { x: mark.x - width / 2, y: mark.y - NAME_PX, width, height: NAME_PX };
    return !written.some((other) => overlaps(other, box)) && written.push(box) > 0;
  });
}

/** A column's number along an axis. @param {Record<string, unknown[]>} variables @param {Axis} axis @param {number} row */
const numberIn = (variables, { variable, index }, row) =>
  index.reduce((/** @type {any} */ data, k) => data?.[k], variables[variable ?? ""]?.[row]);

/** Where rows lead along the axes. @param {{variables: Record<string, unknown[]>, loss: readonly unknown[]}} columns @param {number} rows @param {(x: unknown, y: unknown) => Place | null} place @returns {(Place | null)[]} */
function trailOf({ variables, loss }, rows, place) {
  const axes = state.value.landscape.axes ?? [];
  return Array.from({ length: rows }, (_, row) => {
    const [x, y] = axes.map((axis) => numberIn(variables, axis, row));
    return place(x, axes.length > 1 ? y : loss[row]);
  });
}

/** The present values along the axes; null where the text has none to move. @returns {number[] | null} */
export function presentPoint() {
  const { landscape, program, at, run, row } = state.value;
  const { axes } = landscape;
  if (!axes || axes.length === 0 || axes.some(({ direction }) => direction !== null)) return null;
  const given = axes.map((axis) => {
    if (run) return numberIn(run.variables, axis, row);
    if (program?.dialect !== "math") return undefined;
    const binding = program.bindings.find(({ name }) => name === axis.variable);
    return at[nameOf(axis)] ?? /** @type {{data?: unknown}} */ (binding?.value ?? {}).data;
  });
  return given.every((value) => typeof value === "number") ? given : null;
}

/** What goes with the point: the tangent, the paths, the point itself. @param {Grid} grid @param {LandscapeFacts} answer @param {Size} size @returns {Mark[]} */
export function movingMarks(grid, answer, size) {
  const place = placing(grid, size);
  const frame = frameOf(grid, size);
  const point = presentPoint();
  const curve = point && grid.axes.length === 1 ? between(grid, point[0]) : null;
  const here = point && place(point[0], curve ? curve.value : point[1]);
  const tangent = point && curve ? tangentMarks(frame, point[0], curve.value, curve.slope) : [];
  const marks = [...tangent, ...racing(place), ...own(place), ...followed(answer, place)];
  const inside = isSeenFromSide(grid) ? marks : [/** @type {const} */ ({ kind: "clipped", frame, marks })];
  const isShown = here && (isSeenFromSide(grid) || isInside(frame, ...here));
  return [...inside, ...(isShown ? handleMarks(here) : [])];
}

/** The paths of the race. @param {(x: unknown, y: unknown) => Place | null} place @returns {PathMark[]} */
function racing(place) {
  const { landscape, raceFound, dock } = state.value;
  if ((!landscape.hasPaths && dock !== "race") || !raceFound?.answer) return [];
  return raceFound.answer.runs.flatMap(({ columns }, k) =>
    trailMarks({ places: trailOf(columns, columns.loss.length, place), isOwn: false, ...RUNS[k % RUNS.length] }),
  );
}

/** The path of the page's own run, as far as it is shown, and its latest update. @param {(x: unknown, y: unknown) => Place | null} place @returns {PathMark[]} */
function own(place) {
  const { run, row } = state.value;
  if (!run || row === 0) return [];
  const places = trailOf(run, row + 1, place);
  const [from, to] = places.slice(-2);
  return [
    ...trailMarks({ places, colour: "--update", dash: [], isOwn: true }),
    ...(from && to ? updateMarks(from, to, "--update") : []),
  ];
}

/** The path that the directions follow. @param {LandscapeFacts} answer @param {(x: unknown, y: unknown) => Place | null} place @returns {PathMark[]} */
function followed({ path, axes }, place) {
  if (!path || axes.length < 2) return [];
  const [xs, ys] = axes.map(({ variable }) => path[variable]);
  return trailMarks({ places: xs.map((x, k) => place(x, ys[k])), colour: "--update", dash: [], isOwn: true });
}
