// How a table is looked at: by which column it is sorted, and which of its rows are shown.

/** @import { State } from "../store.js" */
/** @typedef {{readonly sort: string | null, readonly isDown: boolean, readonly filter: string}} TableLook  sort null: as the program has them */

/** @type {TableLook} */
export const FIRST_LOOK = Object.freeze({ sort: null, isDown: false, filter: "" });

/** @param {Pick<State, "tables">} now @param {string} table @returns {TableLook} */
export const lookOfTable = ({ tables }, table) => ({ ...FIRST_LOOK, ...tables[table] });

/** @param {Pick<State, "tables">} now @param {string} table @param {Partial<TableLook>} fields @returns {Partial<State>} */
export const withTable = (now, table, fields) => ({
  tables: { ...now.tables, [table]: { ...lookOfTable(now, table), ...fields } },
});

/** A column's heading was pressed: upwards, then downwards, then as the program has it. @param {TableLook} look @param {string} column @returns {Partial<TableLook>} */
export function sortedAgain({ sort, isDown }, column) {
  if (sort !== column) return { sort: column, isDown: false };
  return isDown ? { sort: null, isDown: false } : { isDown: true };
}

/** Whether what a link holds is like this. @param {unknown} value */
export const areTableLooks = (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (look) =>
      (look?.sort === null || typeof look?.sort === "string") &&
      typeof look.isDown === "boolean" &&
      typeof look.filter === "string",
  );
