// The outline in the dock: the graph as a tree, with the selection and the open scopes of the drawing.

import { html, nothing } from "lit";
import { outlineOf } from "../../finding/outline.js";
import { revealed, toggled } from "../../state/look.js";
import { knownHere, picture, selectedHere, shownNodes } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";

/** @import { Row } from "../../finding/outline.js" */

const MOST_ROWS = 1000;

class Outline extends Panel {
  #at = "";

  render() {
    const rows = outlineOf(shownNodes.value, state.value.open);
    const focus = rows.some((row) => key(row) === this.#at) ? this.#at : rows[0] && key(rows[0]);
    return html`<ul role="tree" class="outline" aria-label=${t("outline.title")} @keydown=${this.pressed}>
        ${rows.slice(0, MOST_ROWS).map((row) => this.row(row, key(row) === focus))}</ul>
      ${rows.length > MOST_ROWS ? html`<p class="note">${t("table.cut", { shown: MOST_ROWS, count: rows.length })}</p>` : nothing}`;
  }

  /** @param {Row} row @param {boolean} focus whether the Tab key stops here */
  row(row, focus) {
    const { name, label, op, level, open } = row;
    const part = picture.value?.parts.get(name);
    const kind = part ? t(`part.${part.kind}`) : op || t("graph.scope");
    const value = knownHere.value.values.get(name) ?? "";
    return html`<li role="treeitem" tabindex=${focus ? 0 : -1} data-key=${key(row)} aria-level=${level} class="level-${Math.min(level, 8)}"
      aria-selected=${selectedHere.value === name} aria-expanded=${open === null ? nothing : open}
      @click=${() => this.choose(row)}>
      <span class="sign" aria-hidden="true">${open === null ? "" : open ? "−" : "+"}</span>
      <code>${label}</code> <small>${kind}</small> <span class="number">${value}</span></li>`;
  }

  /** @param {Row} row */
  choose(row) {
    this.#at = key(row);
    const { tab } = state.value;
    update({ ...revealed(state.value, row.name, shownNodes.value), wanted: null, tab });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const rows = outlineOf(shownNodes.value, state.value.open).slice(0, MOST_ROWS);
    const at = rows.findIndex((row) => key(row) === /** @type {HTMLElement} */ (event.target).dataset.key);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = at < 0 ? undefined : (this.led(event.key, rows, at) ?? beginningWith(event.key, rows, at));
    if (next === undefined) return;
    event.preventDefault();
    this.#at = key(rows[next]);
    this.requestUpdate();
    void this.updateComplete.then(() =>
      /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${CSS.escape(this.#at)}"]`))?.focus(),
    );
  }

  /** The row that a key leads to; undefined where it means nothing here. @param {string} pressed @param {Row[]} rows @param {number} at */
  led(pressed, rows, at) {
    const row = rows[at];
    if (pressed === "ArrowDown") return Math.min(rows.length - 1, at + 1);
    if (pressed === "ArrowUp") return Math.max(0, at - 1);
    if (pressed === "Home") return 0;
    if (pressed === "End") return rows.length - 1;
    if (pressed === "Enter" || pressed === " ") this.choose(row);
    else if (pressed === "ArrowRight" && row.open === false) update(toggled(state.value, row.name));
    else if (pressed === "ArrowRight" && row.open) return at + 1;
    else if (pressed === "ArrowLeft" && row.open) update(toggled(state.value, row.name));
    else if (pressed === "ArrowLeft")
      return Math.max(
        0,
        rows.findLastIndex((each, i) => i < at && each.level < row.level),
      );
    else return undefined;
    return at;
  }
}

/** The next row whose label begins with a letter that is typed; undefined where none does. @param {string} pressed @param {Row[]} rows @param {number} at */
function beginningWith(pressed, rows, at) {
  if (pressed.length !== 1 || pressed === " ") return undefined;
  const begins = (/** @type {Row} */ { label }) => label.toLowerCase().startsWith(pressed.toLowerCase());
  const order = [...rows.keys()].map((k) => (at + 1 + k) % rows.length);
  return order.find((k) => begins(rows[k]));
}

/** A node may bear its scope's name. @param {Row} row */
const key = ({ name, open }) => (open === null ? name : `${name}/`);

customElements.define("gl-outline", Outline);
