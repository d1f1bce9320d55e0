// Asks for the landscape that is looked at, and for no other. Of a large program a sketch of few points is asked for beside
// it: where the landscape takes long, that is shown until each band takes the place of its part.

import { ApiError, streamLandscape } from "../../api.js";
import { awaitedGrid, gridOf, spread, withBand } from "../../charts/grid.js";
import { requestOf } from "../../runs/optimizers.js";
import { axesFor, questionOf } from "../../state/landscape.js";
import { state, update } from "../../store.js";
import { LatestRequest } from "../latest_request.js";
import { programRequest, troubleOf } from "../request.js";
import { lacksVariables } from "../../runs/updates.js";

/** @import { Grid, LandscapeBand, LandscapeEvent } from "../../charts/grid.js" */
/** @import { LandscapeFound } from "../../state/landscape.js" */

const PAUSE_MS = 120; // while a range is zoomed
const SKETCHED = 13; // points along each axis of a sketch: a fiftieth of all
const NODES_LEAST = 200; // of a program whose landscape is sketched: that of a smaller one is there at once

/** @type {LatestRequest<string>} */
const question = new LatestRequest();

/** Lay axes where there are none, and ask what they show, unless that is known. */
export function wantLandscape() {
  const { program, stale, busy, answered, source, landscape, landscapeFound, settings, race } = state.value;
  if (!program || lacksVariables(program) || stale || (answered && answered !== source)) return;
  const axes = axesFor(landscape, program, source);
  if (axes !== landscape.axes || landscape.of !== source) update({ landscape: { ...landscape, axes, of: source } });
  if (axes.length === 0) return;
  const { asked, key } = questionOf(axes, programRequest(), { ...requestOf(settings), steps: race.steps });
  const isKnown = landscapeFound?.key === key && !landscapeFound.coming;
  if (isKnown || question.about === key || busy) return;
  if (landscapeFound === null) void question.start((signal) => ask(asked, key, signal), key);
  else question.startAfter(PAUSE_MS, (signal) => ask(asked, key, signal), key);
}

export { wantLandscape as want };

/** @typedef {ReturnType<typeof questionOf>["asked"]} Asked */

/** Ask, and show each band as it comes. @param {Asked} asked @param {string} key @param {AbortSignal} signal */
async function ask(asked, key, signal) {
  const before = state.value.landscapeFound;
  /** @type {LandscapeFound} */
  let found = { key, answer: null, grid: null, problem: null, coming: null };
  /** @type {LandscapeBand[]} */
  const bands = [];
  /** @type {Grid | null} */
  let coarse = null;
  if (isSketched(asked)) void sketch(); // before the bands, which take all the server's workers
  try {
    for await (const event of streamLandscape(asked, signal)) {
      if (event.type === "band") bands.push(event);
      found = withSketch(furtherWith(found, event));
      update({ landscapeFound: found });
    }
    if (found.coming) throw new ApiError(null); // the connection ended before the last line
  } catch (error) {
    if (signal.aborted) return;
    const trouble = troubleOf(error);
    if (trouble.offline) update({ trouble, landscapeFound: before });
    else update({ landscapeFound: { ...found, answer: null, grid: null, coming: null, problem: trouble.problem } });
  }

  async function sketch() {
    coarse = await sketchOf(asked, signal).catch(() => null); // the bands come all the same
    if (signal.aborted || withSketch(found) === found) return;
    found = withSketch(found);
    update({ landscapeFound: found });
  }

  /** With the sketch in the place of the bands that are still to come. @param {LandscapeFound} now @returns {LandscapeFound} */
  function withSketch(now) {
    if (!coarse || !now.grid || !now.coming || now.coming.isSketched) return now;
    const grid = bands.reduce(withBand, spread(coarse, now.grid.axes));
    return { ...now, grid, coming: { ...now.coming, isSketched: true } };
  }
}

/** @param {Asked} asked */
const isSketched = ({ axes }) => axes.length === 2 && (state.value.program?.graph.nodes.length ?? 0) >= NODES_LEAST;

/** The same landscape at few points. @param {Asked} asked @param {AbortSignal} signal @returns {Promise<Grid | null>} */
async function sketchOf(asked, signal) {
  const axes = asked.axes.map((axis) => ({ ...axis, count: SKETCHED }));
  /** @type {Grid | null} */
  let grid = null;
  for await (const event of streamLandscape({ ...asked, axes, points: false }, signal)) {
    if (event.type === "whole") grid = gridOf(event);
    else if (event.type === "header") grid = awaitedGrid(event);
    else if (event.type === "band" && grid) grid = withBand(grid, event);
  }
  return grid;
}

/** What is known of a landscape after one more line of it. @param {LandscapeFound} found @param {LandscapeEvent} event @returns {LandscapeFound} */
function furtherWith(found, event) {
  if (event.type === "whole") return { ...found, answer: event, grid: gridOf(event), coming: null };
  if (event.type === "header") {
    const answer = { ...event, extent: null, points: [], path: null, diagnostics: [] };
    return { ...found, answer, grid: awaitedGrid(event), coming: { done: 0, bands: event.bands } };
  }
  const { answer, grid, coming } = found;
  if (!answer || !grid || !coming) return found;
  if (event.type === "band") return { ...found, grid: withBand(grid, event), coming: { ...coming, done: coming.done + 1 } };
  return { ...found, answer: { ...answer, ...event }, coming: null };
}
