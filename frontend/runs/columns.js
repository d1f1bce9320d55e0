// The columns of a run while its rows arrive, and while it goes on from a row of its own.
//
// Row 0 is the start, row k the state after k updates. A run is asked for in parts: when a setting changes in the
// middle, the rows so far are kept, and a new part goes on from the last of them, which it repeats as its own row 0.

/** @import { Data, Run, RunChunk, RunFooter, RunHeader } from "../types.js" */
/** @typedef {{[name: string]: Data[] | Table}} Table  columns by name, perhaps one table within another */

const TABLES = /** @type {const} */ (["variables", "gradients", "processed", "slots", "shared", "nodes"]);

const OF_NEXT = new Set(["processed", "nodes"]);

/** @type {Omit<Run, "program">} */
const EMPTY = {
  ...{ parts: [], steps: [], loss: [], status: "running", stopped_at: null, diagnostics: [] },
  ...{ variables: {}, gradients: {}, processed: {}, slots: {}, shared: {}, nodes: {} },
};

/** @param {(table: Table, name: typeof TABLES[number]) => Table} change @param {Run} run */
const withTables = (run, change) =>
  Object.fromEntries(TABLES.map((name) => [name, change(/** @type {Table} */ (run[name] ?? {}), name)]));

/** Every column changed, however deep it lies. @param {Table} table @param {(column: Data[]) => Data[]} change @returns {Table} */
const mapped = (table, change) =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, Array.isArray(entry) ? change(entry) : mapped(entry, change)]),
  );

/** @param {number} count @returns {Data[]} */
const blanks = (count) => Array(count).fill(null);

/**
 * Columns with further rows; what one of the two has not got is blank in its rows.
 * @param {Table} before @param {Table} after @param {number} rows  of the columns before
 * @param {number} skip  rows of those after that are left out @param {number} more  rows of those after that are not
 * @returns {Table}
 */
function followed(before, after, rows, skip, more) {
  /** @param {string} name */
  const joined = (name) => {
    const [old, added] = [before[name], after[name]];
    if ([old, added].some((entry) => entry !== undefined && !Array.isArray(entry)))
      return followed(/** @type {Table} */ (old ?? {}), /** @type {Table} */ (added ?? {}), rows, skip, more);
    const kept = /** @type {Data[] | undefined} */ (old) ?? blanks(rows);
    return kept.concat(/** @type {Data[] | undefined} */ (added)?.slice(skip) ?? blanks(more));
  };
  return Object.fromEntries([...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [name, joined(name)]));
}

/**
 * A run at the beginning of its first part, or of one that goes on from the last row so far.
 * @param {Run | null} before @param {RunHeader} header @param {number | null} rate  the plain rate of its updates
 * @param {import("./optimizers.js").OptimizerSettings} settings  that it is made with
 * @returns {Run}
 */
export function begun(before, { id, program }, rate, settings) {
  const first = before ? before.steps.length - 1 : 0;
  const { name: optimizer, parameters } = settings;
  const parts = [...(before?.parts ?? []), { id, first, rate, optimizer, parameters, settings }];
  const rested = before?.status === "converged" && (before.stopped_at?.step ?? 0) <= first ? before.stopped_at : null;
  return { ...EMPTY, ...before, program, parts, status: "running", stopped_at: rested, diagnostics: [] };
}

/** A run with the rows of a chunk of its last part. @param {Run} run @param {RunChunk} chunk @returns {Run} */
export function grown(run, chunk) {
  const rows = run.steps.length;
  const part = run.parts[run.parts.length - 1];
  const { first } = part;
  const slots = part.slots ?? /** @type {Run["slots"]} */ (mapped(chunk.slots ?? {}, (column) => column.slice(0, 1)));
  const skip = rows - first - chunk.steps[0]; // the row that a part begins with is there already
  const more = chunk.steps.length - skip;
  /** @param {Table} table @param {typeof TABLES[number]} name */
  const further = (table, name) => {
    const again = OF_NEXT.has(name) ? skip : 0; // they are of the update to come, which the new part makes
    const kept = again ? mapped(table, (column) => column.slice(0, rows - again)) : table;
    return followed(kept, /** @type {Table} */ (chunk[name] ?? {}), rows - again, skip - again, more + again);
  };
  return {
    ...run,
    ...withTables(run, further),
    parts: [...run.parts.slice(0, -1), { ...part, slots }],
    steps: run.steps.concat(chunk.steps.slice(skip).map((step) => step + first)),
    loss: run.loss.concat(chunk.loss.slice(skip)),
  };
}

/** A run whose last part ended by itself. @param {Run} run @param {RunFooter} footer @returns {Run} */
export function ended(run, { status, stopped_at: stop, diagnostics }) {
  const { first } = run.parts[run.parts.length - 1];
  const rested = status === "converged" && stop?.step === 0 ? run.stopped_at : null; // in an earlier part
  return { ...run, status, diagnostics, stopped_at: rested ?? (stop && { ...stop, step: stop.step + first }) };
}

/** A run that was stopped on the way: the rows so far, up to the last from which one can go on. @param {Run} run @returns {Run} */
export const broken = (run) => ({ ...cutAfter(run, wholeRow(run, run.steps.length - 1)), status: "cancelled" });

/** Rows 0 … row. @param {Run} run @param {number} row @returns {Run} */
export const cutAfter = (run, row) => ({
  ...run,
  ...withTables(run, (table) => mapped(table, (column) => column.slice(0, row + 1))),
  parts: run.parts.filter(({ first }, index) => index === 0 || first < row),
  steps: run.steps.slice(0, row + 1),
  loss: run.loss.slice(0, row + 1),
});

/** The last row up to this one of which the variables are known: of very long runs some are left out. @param {Run} run @param {number} row */
export function wholeRow(run, row) {
  const [column] = Object.values(run.variables);
  return Math.max(0, column ? column.findLastIndex((value, index) => index <= row && value !== null) : row);
}
