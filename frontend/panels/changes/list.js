// What differs as a list: each node with its sign and what changed of it; pressing it shows the node in the graph.

import { html, nothing } from "lit";

import { rowsOf } from "../../state/changes/differing.js";
import { formatValue } from "../../values/format.js";
import { badgePicture } from "./badges.js";
import { say } from "./words.js";

/** @import { Differences } from "../../types.js" */
/** @import { Row } from "../../state/changes/differing.js" */

const MOST = 200; // rows
const OF_OURS = new Set(["op", "inputs", "control_inputs", "constant", "initial_value", "dtype", "shape"]);
const ARROW = " → ";

/** @param {unknown} value of a change */
function written(value) {
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : say("none");
  return formatValue(/** @type {import("../../types.js").Value} */ (value));
}

/** @param {Row["changes"][number]} change */
function change({ kind, name, before, after }) {
  const what = OF_OURS.has(kind) ? say(kind) : (name ?? kind);
  return html`<li>${what}: ${written(before)}${ARROW}${written(after)}</li>`;
}

/** @param {Row} row @param {(name: string) => void} show */
function entry({ kind, name, shown, op, changes }, show) {
  const ofOp = shown === op ? nothing : html` <small>${op}</small>`;
  return html`<li class=${kind}><button class="link" title=${say("show", { name: shown })} @click=${() => show(name)}>
      ${badgePicture(kind)}<span class="visually-hidden">${say(kind)}: </span><code>${shown}</code>${ofOp}</button>
    ${changes.length > 0 ? html`<ul class="of-it">${changes.map(change)}</ul>` : nothing}</li>`;
}

/** All that differs, by parts of the graph. @param {Differences} answer @param {(name: string) => void} show */
export function list(answer, show) {
  const rows = rowsOf(answer);
  const { length: names } = answer.renamed;
  const renamed = names > 0 ? html`<p class="note">${say("renamed", { count: names })}</p>` : nothing;
  if (rows.length === 0) return html`<p class="note">${say("same")}</p>${renamed}`;
  const parts = /** @type {const} */ (["forward", "gradient", "other"]).map((phase) => part(phase, rows, show));
  return html`${parts}${renamed}`;
}

/** @param {Row["phase"]} phase @param {Row[]} rows @param {(name: string) => void} show */
function part(phase, rows, show) {
  const own = rows.filter((each) => each.phase === phase);
  if (own.length === 0) return nothing;
  const rest = own.length - MOST;
  return html`<h3>${say(phase)}</h3><ul class="differing">${own.slice(0, MOST).map((each) => entry(each, show))}</ul>
    ${rest > 0 ? html`<p class="note">${say("more", { count: rest })}</p>` : nothing}`;
}
