// The graphs of both programs as one, in a view of its own: what came, what is gone, what changed.

import { LitElement, html } from "lit";

import { goneEdges, kindsOf, openAtFirst, pictureOf } from "../../state/changes/differing.js";
import { knownAfter, learnersNames, scopesAround } from "../../state/lesson.js";
import { state, t } from "../../store.js";
import { createGraphView } from "../../view/graph_view.js";
import { decorator } from "./badges.js";
import { say } from "./words.js";

/** @import { Differences } from "../../types.js" */

/** What there is no lesson for. */
const NO_LESSON = Object.freeze({ hues: new Map(), traced: null, stale: false });
/** @type {readonly import("../../types.js").Step[]} */
const NO_STEPS = [];

/** The marks of both graphs: values as everywhere, all of them known, and what differs. @param {Differences} answer */
function marksOf(answer) {
  const { program } = state.value;
  const whole = { ...program, target: answer.after.target, gradients: [], graph: answer.graph };
  const known = knownAfter(/** @type {import("../../types.js").Program} */ (whole), NO_STEPS, -1);
  return { ...NO_LESSON, ...known, decorate: decorator(kindsOf(answer), goneEdges(answer), say) };
}

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
  /** @type {ReturnType<typeof marksOf> | null} */
  #marks = null;

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
    const isOther = changed.has("answer");
    if (isOther) [this.#open, this.#selected] = [openAtFirst(this.answer), null];
    if (isOther || changed.has("language")) this.#marks = marksOf(this.answer);
    if (isOther || changed.has("hasGradients")) this.#show(false);
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

  /** @param {boolean} [isSame] whether it is another look at the same graph */
  #show(isSame = true) {
    const { program, direction } = state.value;
    if (!this.answer) return;
    const names = program ? learnersNames(program) : new Map();
    const model = pictureOf(this.answer, this.hasGradients, names);
    this.#view?.show(Object.freeze({ ...model, open: this.#open, direction }), isSame);
  }

  #mark() {
    if (this.#marks) this.#view?.mark({ ...this.#marks, selected: this.#selected });
  }
}

customElements.define("gl-changes-picture", ChangesPicture);
