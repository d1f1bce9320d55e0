// The texts that were drawn before the present one, to compare it with. Another value of a variable is no other text.

/** @import { State } from "../../store.js" */
/** @typedef {{id: string | null, source: string, dialect: State["dialect"], at: State["at"]}} DrawnText  `id`: the server's of its program or graph */

const MOST_EARLIER = 8;

/** What makes a text another one; graphs from files have none. @param {DrawnText} text */
const keyOf = ({ id, source }) => source || id;

/**
 * Take in the text that is drawn from now on: the one before it is an earlier one now.
 * @param {Pick<State, "drawnText" | "earlier" | "source" | "dialect" | "at">} now @param {import("../../types.js").Program} answer
 * @returns {Pick<State, "drawnText" | "earlier">}
 */
export function withEarlier({ drawnText: before, earlier, source, dialect, at }, answer) {
  const drawnText = Object.freeze({ id: answer.id ?? answer.imported ?? null, source, dialect, at });
  if (!before || keyOf(before) === keyOf(drawnText)) return { drawnText, earlier };
  const others = earlier.filter((text) => keyOf(text) !== keyOf(before) && keyOf(text) !== keyOf(drawnText));
  return { drawnText, earlier: [before, ...others].slice(0, MOST_EARLIER) };
}

/** The first line in which a text differs from another one, shortened; of a text that goes on the line before its end. @param {string} source @param {string} other */
export function firstOtherLine(source, other) {
  const [lines, others] = [source.trimEnd().split("\n"), other.trimEnd().split("\n")];
  const at = lines.findIndex((line, i) => line !== others[i]);
  const line = (at < 0 ? lines[lines.length - 1] : lines[at]).trim();
  return line.length > 48 ? `${line.slice(0, 47)}…` : line;
}
