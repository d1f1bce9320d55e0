// The search box above the graph: hits while typing, arrow keys choose, Enter brings one into sight. What searches is
// fetched when the box is entered for the first time.

import { html, nothing } from "lit";

import { fetched } from "../../requests/request.js";
import { learnersNames } from "../../state/lesson.js";
import { revealed } from "../../state/look.js";
import { allNodes, knownHere, labels, level, picture, shownNodes, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";
import { troubleMessage } from "../parts/trouble.js";

/** @import { Hit } from "../../finding/search.js" */

const MOST_HITS = 60;

class GraphSearch extends Panel {
  #query = "";
  #chosen = 0;
  #open = false;
  /** @type {typeof import("../../finding/search.js").search | null} */
  #search = null;

  render() {
    const hits = this.hits();
    this.#chosen = Math.max(0, Math.min(this.#chosen, hits.length - 1));
    const { trouble } = state.value;
    const shown = this.#open && (this.#search ?? trouble) !== null && this.#query.trim() !== "";
    const active = shown && hits.length > 0 ? `graph-hit-${this.#chosen}` : nothing;
    return html`<input class="graph-find" type="search" role="combobox" autocomplete="off" spellcheck="false"
        aria-label=${t("graph.find")} placeholder=${t("graph.find_short")} title=${t("graph.find_hint")}
        aria-expanded=${shown} aria-controls="graph-hits" aria-autocomplete="list" aria-activedescendant=${active}
        .value=${this.#query} @input=${this.typed} @keydown=${this.pressed} @focus=${() => this.show(true)}
        @blur=${() => this.show(false)}>
      <div class="graph-hits" ?hidden=${!shown}>
        <p class="note" role="status">${shown ? this.count(hits.length) : nothing}</p>
        <ul id="graph-hits" role="listbox" aria-label=${t("graph.find")}>
          ${shown ? hits.slice(0, MOST_HITS).map((hit, index) => this.hit(hit, index)) : nothing}</ul>
      </div>`;
  }

  /** @param {number} count */
  count(count) {
    if (!this.#search) return troubleMessage();
    return count === 0 ? `${t("graph.found_none")} · ${t("graph.find_hint")}` : t("graph.found", { count });
  }

  /** @param {Hit} hit @param {number} index */
  hit(hit, index) {
    const chosen = index === this.#chosen;
    return html`<li role="option" id="graph-hit-${index}" aria-selected=${chosen}
      @mousedown=${(/** @type {Event} */ event) => event.preventDefault()} @click=${() => this.go(hit)}>
      ${this.words(hit)}</li>`;
  }

  /** @param {Hit} hit */
  words({ name, detail }) {
    const part = level.value === "mathematics" ? picture.value?.parts.get(name) : undefined;
    if (part) return html`<code>${part.label}</code><small>${t(`part.${part.kind}`)}</small>`;
    return html`<code>${name}</code><small>${detail || t("graph.scope")}</small>`;
  }

  /** @returns {Hit[]} */
  hits() {
    const program = shownProgram.value;
    if (!program || !this.#open || !this.#search) return [];
    const { status, exact } = knownHere.value;
    const valueOf = (/** @type {import("../../types.js").ApiNode} */ { name }) =>
      status.get(name) === "waiting" ? undefined : (exact.get(name) ?? null);
    const names = level.value === "mathematics" ? labels.value : learnersNames(program);
    return this.#search({ nodes: allNodes.value, names, valueOf }, this.#query);
  }

  /** @param {boolean} open */
  show(open) {
    this.#open = open;
    this.requestUpdate();
    if (open && !this.#search) void this.fetchSearch();
  }

  async fetchSearch() {
    this.#search = (await fetched(() => import("../../finding/search.js")))?.search ?? null;
    this.requestUpdate();
  }

  /** @param {Event} event */
  typed(event) {
    this.#query = /** @type {HTMLInputElement} */ (event.target).value;
    this.#chosen = 0;
    this.show(true);
  }

  /** A key that comes before what searches waits for it. @param {KeyboardEvent} event @returns {void} */
  pressed(event) {
    if (!this.#search) return void this.fetchSearch().then(() => this.#search && this.pressed(event));
    const hits = this.hits().slice(0, MOST_HITS);
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && hits.length > 0) this.#chosen = (this.#chosen + way + hits.length) % hits.length;
    else if (event.key === "Enter" && hits.length > 0) return this.go(hits[this.#chosen]);
    else if (event.key === "Escape" && this.#open) this.#open = false;
    else return undefined;
    event.preventDefault();
    this.requestUpdate();
    return void this.updateComplete.then(() => this.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
  }

  /** @param {Hit} hit */
  go({ name }) {
    this.show(false);
    update(revealed(state.value, name, shownNodes.value));
  }
}

customElements.define("gl-graph-search", GraphSearch);
