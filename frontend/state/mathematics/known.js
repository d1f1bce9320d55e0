// What of the picture at level Mathematics is known at a step: its values, from those of TensorFlow's nodes, and what is
// shown by now.

import { shortValue } from "../../values/format.js";
import { stripOf } from "../../values/strips.js";
import { nodeOf, UNKNOWN } from "../lesson.js";
import { MOST_TERMS, sumRoom } from "./drawn.js";
import { quantityId } from "./ids.js";

/** @import { Step, Value } from "../../types.js" */
/** @import { Known, Status } from "../lesson.js" */
/** @import { Part, Picture } from "./picture.js" */

const ROOM = 9; // characters that the drawing keeps free for a value
const NONE = "None"; // no gradient, as Python has it
const TERM_ROOM = 6; // of a term of a sum

/**
 * Where the lesson stands, and whose numbers its steps have.
 * @typedef {object} Place
 * @property {readonly Step[]} steps
 * @property {number} cursor
 * @property {boolean} isOwn   the steps' own numbers are those that are shown: not so in a run whose lesson is another update's
 * @property {boolean} isWhole  an update is shown as a whole
 */

/**
 * Values and states of a picture's parts, by id.
 * @param {Picture} picture @param {Known} known of TensorFlow's nodes @param {Place} place @returns {Known}
 */
export function knownOf(picture, known, place) {
  const parts = [...picture.parts.values()];
  const exact = new Map(parts.map((part) => [part.id, valueOf(part, known, place)]));
  const status = new Map(parts.map((part) => [part.id, statusOf(part, place)]));
  const values = new Map(parts.map((part) => [part.id, textOf(part, exact.get(part.id), status.get(part.id), place)]));
  const strips = new Map(
    parts.flatMap(({ id, kind }) => {
      const strip = status.get(id) === "waiting" || kind === "factor" ? null : stripOf(exact.get(id) ?? null);
      return strip ? [[id, strip]] : [];
    }),
  );
  return { values, exact, status, strips };
}

/** @param {Part} part @param {Known} known @param {Place} place @returns {Value | undefined} */
function valueOf(part, known, { steps, isOwn }) {
  const { tensor, saidAt, kind } = part;
  if (kind === "factor") return isOwn ? contributionOf(part, steps)?.local : null;
  const value = tensor?.endsWith(":0") ? known.exact.get(nodeOf(tensor)) : undefined;
  if (value !== undefined && value !== null) return value;
  const step = steps[saidAt[saidAt.length - 1] ?? -1];
  if (!isOwn || !step) return null;
  return kind === "gradient" && step.phase === "backward" ? arrivals(part, steps).at(-1)?.value : step.output?.value;
}

/** @param {Part} factor @param {readonly Step[]} steps */
const contributionOf = ({ saidAt: [index], place }, steps) => steps[index]?.contributions?.[place];

/** @param {Part} part @param {Place} place @returns {Status} */
function statusOf(part, { steps, cursor, isWhole }) {
  if (isWhole) return "done";
  if (part.kind === "factor") return isKnown(part, cursor) ? "done" : "waiting"; // its number is what one may guess
  if (part.saidAt.includes(cursor) || isClosing(part, steps[cursor])) return "current";
  if (part.kind === "update" && part.saidAt.length === 0) return "waiting"; // the run's own
  return isKnown(part, cursor) ? "done" : "waiting";
}

/** Whether all is said of a part. @param {Part | undefined} part @param {number} cursor */
const isKnown = (part, cursor) => !part || (part.saidAt.at(-1) ?? -1) <= cursor;

/** Whether a closing step is about a part. @param {Part} part @param {Step | undefined} step */
const isClosing = ({ kind, quantity, label }, step) =>
  step?.phase === "close" && kind === "gradient" && quantity === quantityId(step.of ?? "") && (step.rule_text ?? label) === label;

/** @param {Part} part @param {Value | undefined} value @param {Status | undefined} status @param {Place} place */
function textOf(part, value, status, place) {
  if (part.kind === "factor") return status === "waiting" || isItsNumber(part, value) ? "" : nodeText(value);
  const sum = part.kind === "gradient" && part.inputs.length > 1 ? sumText(part, value, place) : "";
  if (sum) return sum;
  if (!isKnown(part, place.cursor) && !place.isWhole) return UNKNOWN;
  return part.kind === "gradient" && part.inputs.length === 0 && isNone(part, place) ? NONE : nodeText(value);
}

/** Whether no path joins a gradient's quantity to the result. @param {Part} part @param {Place} place */
const isNone = ({ saidAt: [first] }, { steps }) => (steps[first ?? -1]?.phase ?? "close") === "close";

/** Whether a factor is written as a number: "× (−1)". @param {Part} factor @param {Value | undefined} value */
const isItsNumber = ({ label }, value) => label.replace(/^× \(?|\)$/g, "") === nodeText(value);

/** @param {Value | undefined} value */
const nodeText = (value) => (value === null || value === undefined ? "" : shortValue(value, ROOM));

/**
 * "0.9 + 0.54 = 1.44", as far as the lesson has come; "" where it has no room, or its terms are not known.
 * @param {Part} part @param {Value | undefined} value @param {Place} place
 */
function sumText(part, value, { steps, cursor: at, isOwn, isWhole }) {
  const terms = arrivals(part, steps);
  const cursor = isWhole ? steps.length : at;
  const isWritten = isOwn && terms.length > 1 && terms.length <= MOST_TERMS;
  if (!isWritten || terms.some((term) => isArray(term.value))) return "";
  if (terms.every(({ index }) => index > cursor)) return UNKNOWN;
  const sum = terms.map((term, i) => (term.index > cursor ? UNKNOWN : asTerm(shortValue(term.value, TERM_ROOM), i))).join(" + ");
  const text = isKnown(part, cursor) ? `${sum} = ${nodeText(value)}` : sum;
  return text.length <= sumRoom(terms.length) ? text : "";
}

/** A negative number in brackets, after a plus. @param {string} text @param {number} i */
const asTerm = (text, i) => (i > 0 && text.startsWith("−") ? `(${text})` : text);

/** @param {Value} value */
const isArray = (value) => value === null || (value instanceof Object && value.shape.length > 0);

/** What arrives at a gradient, and in which step: the start, and the contributions to it. @param {Part} part @param {readonly Step[]} steps */
function arrivals({ like, label, saidAt }, steps) {
  return saidAt.flatMap((index) => {
    const { phase, output, contributions = [] } = steps[index] ?? {};
    if (phase === "seed") return [{ index, value: output?.value ?? null }];
    if (phase !== "backward" && !contributions[0]?.upstream_text) return []; // a sum of what has arrived adds nothing
    const own = contributions.filter(({ to, expression_text: text }) => to === like && (text ?? label) === label);
    return own.map(({ value }) => ({ index, value }));
  });
}
