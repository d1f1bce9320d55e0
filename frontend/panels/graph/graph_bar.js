// The row above the graph: finding a node, and how the graph is looked at.

import { html, nothing } from "lit";
import { fetched } from "../../requests/request.js";
import { broughtBack, looked, shownAgain, undone } from "../../state/look.js";
import { levelsOf, otherLevel } from "../../state/levels.js";
import { asideNodes, colours, level, shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import "./graph_search.js";
import { Panel } from "../panel.js";
import { icons } from "../parts/icons.js";
import { troubleReason } from "../parts/trouble.js";

const LANES = /** @type {const} */ (["both", "forward", "backward"]);

class GraphBar extends Panel {
  /** Whether what the menu holds has been fetched. */
  #menuIsThere = false;

  render() {
    const nodes = shownProgram.value?.graph.nodes ?? [];
    if (nodes.length === 0) return nothing;
    const undo = t("graph.undo");
    return html`<div class="graph-bar" role="group" aria-label=${t("graph.bar")}>
      ${this.levels()}${this.sides()}
      <gl-graph-search></gl-graph-search>
      <span class="space"></span>
      ${this.lanes()}
      <button class="quiet square" title=${undo} aria-label=${undo} aria-disabled=${state.value.past.length === 0}
        @click=${() => update(undone(state.value))}>${icons.undo}</button>
      <button class="quiet" popovertarget="graph-menu" @pointerenter=${this.fetchMenu} @focus=${this.fetchMenu}>${t("graph.view")} ${icons.down}</button>
      <div id="graph-menu" class="menu" role="group" popover aria-label=${t("graph.view")} @beforetoggle=${this.place}
        @click=${this.chosen}>
        ${this.#menuIsThere ? html`<gl-graph-menu></gl-graph-menu>` : nothing}
      </div>
    </div>
    ${this.levelTrouble()}${this.kinds()}${this.aside()}${this.legend()}`;
  }

  /** Why the program is not drawn at the level that was chosen last. */
  levelTrouble() {
    const { levelTrouble, level: now, program } = state.value;
    if (levelTrouble === null || levelTrouble.at !== now || levelTrouble.program !== program) return nothing;
    const name = t(`graph.level.${levelTrouble.level}`);
    const close = t("share.close");
    return html`<div class="hidden-kinds level-trouble" role="alert">
      <span>${t("graph.level.trouble", { level: name, why: troubleReason(levelTrouble.trouble) })}</span>
      <button class="quiet square" title=${close} aria-label=${close} @click=${() => update({ levelTrouble: null })}>${icons.close}</button></div>`;
  }

  /** The nodes that a large picture leaves out, and why; each is brought back with a click. */
  aside() {
    if (asideNodes.value.length === 0) return nothing;
    return html`<div class="hidden-kinds" role="group" aria-label=${t("graph.aside")}>
      <span class="muted">${t("graph.aside")}</span>${asideNodes.value.map(
        ({ name, control_inputs: { length: count } }) => html`<code>${name}</code>
          <span class="muted">${t("graph.aside_why", { count })}</span>
          <button @click=${() => update(broughtBack(state.value, name))}>${t("graph.aside_back", { name })}</button>`,
      )}</div>`;
  }

  /** What the hues mean; nothing while the fill stands for the phase. */
  legend() {
    const { colour } = state.value;
    if (colour === "phase" || level.value === "mathematics") return nothing;
    const { legend } = colours.value;
    return html`<div class="legend" role="note" aria-label=${t(`graph.colour.${colour}`)}>
      <span class="muted">${t(legend.length > 0 ? `graph.colour.${colour}` : `graph.colour.no_${colour}`)}</span>
      ${legend.map(({ hue, label }) => html`<span><i class="swatch" .style=${`--hue: ${hue}`}></i> <code>${label}</code></span>`)}</div>`;
  }

  /** The kinds of op that are not drawn, each to be shown again. */
  kinds() {
    const { hidden } = state.value;
    if (hidden.size === 0 || level.value === "mathematics") return nothing;
    return html`<div class="hidden-kinds" role="group" aria-label=${t("graph.hidden")}>
      <span class="muted">${t("graph.hidden")}</span>${[...hidden].map(
        (op) => html`<button aria-label=${t("graph.show_kind", { op })} title=${t("graph.show_kind", { op })}
          @click=${() => update(shownAgain(state.value, op))}><code>${op}</code> ${icons.close}</button>`,
      )}</div>`;
  }

  /** What a box stands for, an operation of the learner's or a node; nothing where there is no lesson. */
  levels() {
    const { lessons, steps } = state.value;
    if (steps.length === 0) return nothing;
    const isMissing = lessons.mathematics !== undefined && lessons.mathematics.level !== "mathematics";
    const button = (/** @type {import("../../types.js").Level} */ name) => {
      const why = isMissing && name === "mathematics" ? t("graph.level.missing") : nothing;
      return html`<button aria-pressed=${name === level.value} aria-disabled=${why !== nothing} title=${why}
        @click=${() => why === nothing && this.look(name)}>${t(`graph.level.${name}`)}</button>`;
    };
    return html`<div class="segments levels" role="group" aria-label=${t("graph.level")}>${levelsOf(state.value.program?.dialect).map(button)}</div>`;
  }

  /** Whether another level is drawn beside this one: a run has one graph alone. */
  sides() {
    const { beside, run, steps, program } = state.value;
    if (steps.length === 0 || program?.dialect === "graph") return nothing;
    const why = run ? t("graph.beside.run") : t("graph.beside.hint");
    return html`<button class="quiet square beside" aria-pressed=${beside !== null && !run} aria-disabled=${run !== null}
      aria-label=${t("graph.beside")} title="${t("graph.beside")}: ${why}"
      @click=${() => run === null && update(looked(state.value, { beside: beside === null ? otherLevel(level.value) : null }))}>${icons.beside}</button>`;
  }

  /** @param {import("../../types.js").Level} name */
  look(name) {
    if (name !== state.value.level) update(looked(state.value, { level: name }));
  }

  /** Which part is drawn; nothing where there is only one. */
  lanes() {
    const { lanes } = state.value;
    if (!shownProgram.value?.graph.nodes.some(({ phase }) => phase === "gradient")) return nothing;
    return html`<div class="segments" role="group" aria-label=${t("graph.lanes")}>${LANES.map(
      (name) => html`<button aria-pressed=${name === lanes}
        @click=${() => update(looked(state.value, { lanes: name }))}>${t(`graph.lanes.${name}`)}</button>`,
    )}</div>`;
  }

  async fetchMenu() {
    this.#menuIsThere ||= (await fetched(() => import("./graph_menu.js"))) !== null;
    this.requestUpdate();
  }

  /** Put the menu under its button: a popover stands in the top layer, outside the row's flow. */
  place() {
    void this.fetchMenu();
    const button = this.querySelector("[popovertarget]")?.getBoundingClientRect();
    const menu = /** @type {HTMLElement | null} */ (this.querySelector("#graph-menu"));
    if (!button || !menu) return;
    menu.style.setProperty("--menu-top", `${button.bottom + 4}px`);
    menu.style.setProperty("--menu-end", `${Math.max(8, innerWidth - button.right)}px`);
  }

  /** A choice closes the menu. @param {Event} event */
  chosen(event) {
    const menu = /** @type {HTMLElement} */ (event.currentTarget);
    if (event.target instanceof Element && event.target.closest("button")) menu.hidePopover();
  }
}

customElements.define("gl-graph-bar", GraphBar);
