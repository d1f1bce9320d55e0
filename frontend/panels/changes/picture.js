// The graphs of both programs as one, in a view of its own: what came, what is gone, what changed.

import { LitElement, html } from "lit";

import { goneEdges, kindsOf, openAtFirst, pictureOf } from "../../state/changes.js";
import { learnersNames, scopesAround } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { formatValue } from "../../values/format.js";
import { createGraphView } from "../../view/graph_view.js";
import { decorator } from "./badges.js";
import { say } from "./words.js";

/** @import { Differences } from "../../types.js" */

/** What of the marks of a lesson there is none here. */
const WITHOUT_LESSON = Object.freeze({ strips: new Map(), status: new Map(), hues: new Map(), traced: null, stale: false });

export class ChangesPicture extends LitElement {
  static properties = { answer: { attribute: false }, hasGradients: { attribute: false }, language: { attribute: false } };

  constructor() {
    super();
    /** @type {Differences | null} */
    this.answer = null;
    this.hasGradients = false;
    this.language = "";
  }

  /** @type {import("../../view/types.js").GraphView | null} */
  #view = null;
  /** @type {ReadonlySet<string>} */
  #open = new Set();
  /** @type {string | null} */
  #selected = null;

  createRenderRoot() {
    return this;
  }

  render() {
    return html`<div class="graph-host"></div>`;
  }

  firstUpdated() {
    this.#view = createGraphView(/** @type {HTMLElement} */ (this.querySelector(".graph-host")), {
      onToggle: (scope) => this.#toggle(scope),
      onSelect: (name) => this.#select(name),
      onMove: () => {},
      onDrawn: (count) => (this.dataset.drawn = String(count)),
      t,
    });
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.answer) return;
    if (changed.has("answer")) [this.#open, this.#selected] = [openAtFirst(this.answer), null];
    if (changed.has("answer") || changed.has("hasGradients")) this.#show();
    this.#mark();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = null;
  }

  /** Bring a node into sight, whatever scopes it stands in. @param {string} name */
  reveal(name) {
    this.#open = new Set([...this.#open, ...scopesAround(name)]);
    this.#show();
    this.#select(name);
    this.#view?.reveal(name);
  }

  /** @param {string} scope */
  #toggle(scope) {
    const open = new Set(this.#open);
    if (!open.delete(scope)) open.add(scope);
    this.#open = open;
    this.#show();
  }

  /** @param {string | null} name */
  #select(name) {
    this.#selected = name;
    this.#mark();
  }

  #show() {
    const { program, direction } = state.value;
    if (!this.answer) return;
    const names = program ? learnersNames(program) : new Map();
    const model = pictureOf(this.answer, this.hasGradients, names);
    this.#view?.show(Object.freeze({ ...model, open: this.#open, direction }), true);
  }

  #mark() {
    if (!this.answer) return;
    const { nodes } = this.answer.graph;
    const values = new Map(nodes.map(({ name, value }) => [name, value === null ? "" : formatValue(value)]));
    const decorate = decorator(kindsOf(this.answer), goneEdges(this.answer), say);
    this.#view?.mark({ ...WITHOUT_LESSON, values, selected: this.#selected, decorate });
  }
}

customElements.define("gl-changes-picture", ChangesPicture);
