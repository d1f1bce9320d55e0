// The dock at the bottom: the optimizer, what the program printed, the table of all nodes, the graph as a tree.

import { html, nothing } from "lit";

import { writeSetting } from "../../browser/local_storage.js";
import { fetched } from "../../requests/request.js";
import { loadOps, loadOptimizers } from "../../requests/session.js";
import { hasTool } from "../../state/classroom.js";
import { docked, hasOutput, state, t, update } from "../../store.js";
import { icons } from "../parts/icons.js";
import "../optimizer/optimizer.js";
import { Panel } from "../panel.js";

/** @typedef {import("../../store.js").State["dock"]} Tool */

const TOOLS = {
  optimizer: () => html`<gl-optimizer></gl-optimizer>`,
  curves,
  output,
  landscape,
  race,
  compare,
  changes,
  table,
  outline,
  ops,
};

/** What was printed, fetched when there is some. */
function output() {
  void fetched(() => import("./output.js"));
  return html`<gl-output></gl-output>`;
}

/** The losses of several runs, fetched when they are first looked at. */
function curves() {
  void fetched(() => Promise.all([import("../curves/curves.js"), import("../curves/loss_plot.js")]));
  return html`<gl-curves></gl-curves>`;
}

/** All nodes in a table, fetched when it is first looked at. */
function table() {
  void fetched(() => import("./table.js"));
  return html`<gl-table></gl-table>`;
}

/** What ops there are, fetched when they are first looked at. */
function ops() {
  void fetched(() => Promise.all([import("../ops/ops.js"), loadOps()]));
  return html`<gl-ops></gl-ops>`;
}

/** The graph as a tree, fetched when it is first looked at. */
function outline() {
  void fetched(() => import("./outline.js"));
  return html`<gl-outline></gl-outline>`;
}

/** The derivative three ways, fetched when it is first looked at. */
function compare() {
  void fetched(() => import("../compare/compare.js"));
  return html`<gl-compare></gl-compare>`;
}

/** What differs from an earlier text or another program, fetched when it is first looked at. */
function changes() {
  void fetched(() => import("../changes/changes.js"));
  return html`<gl-changes></gl-changes>`;
}

/** What a tool shows is asked for while the tool is fetched. @param {Promise<{want: () => void}>} module */
const asked = async (module) => (await module).want();

/** The target as a curve or a surface, fetched when it is first looked at. */
function landscape() {
  void fetched(() => Promise.all([import("../landscape/landscape.js"), asked(import("../../requests/docks/landscape.js"))]));
  return html`<gl-landscape></gl-landscape>`;
}

/** Optimizers side by side, fetched when they are first looked at. */
function race() {
  const parts = [import("../race/race.js"), import("../curves/loss_plot.js")];
  void fetched(() => Promise.all([...parts, asked(import("../../requests/docks/race.js"))]));
  return html`<gl-race></gl-race>`;
}

/** The tools with something to show, of those that a class has been given. @returns {Tool[]} */
function tools() {
  const { program } = state.value;
  const printed = program && hasOutput(program) ? /** @type {const} */ (["output"]) : [];
  /** @type {Tool[]} */
  const all = ["optimizer", "curves", ...printed, "landscape", "race", "compare", "changes", "table", "outline", "ops"];
  return all.filter((tool) => hasTool(state.value.classroom, tool));
}

/** Fold the dock, or unfold it; so it is found at the next visit. @param {boolean} dockOpen */
function folded(dockOpen) {
  update({ dockOpen: !dockOpen });
  writeSetting("gradlens.dock", String(!dockOpen));
}

/** @param {Tool} tool */
function open(tool) {
  update(docked(state.value, tool));
  writeSetting("gradlens.dock", "true");
}

class Dock extends Panel {
  firstUpdated() {
    void loadOptimizers();
  }

  render() {
    const { dock: chosen, dockOpen, classroom } = state.value;
    const dock = hasTool(classroom, chosen) ? chosen : tools()[0];
    if (!dock) return nothing;
    const label = t(dockOpen ? "dock.hide" : "dock.show");
    return html`<section class="dock ${dockOpen ? "" : "closed"}" aria-label=${t("dock.name")}>
      <div class="row dock-bar">
        <div class="dock-tabs" role="tablist" aria-label=${t("dock.name")} @keydown=${this.moved}>
          ${tools().map((tool) => this.tab(tool, tool === dock))}</div>
        <button class="quiet square fold" aria-expanded=${dockOpen} title=${label} aria-label=${label}
          @click=${() => folded(dockOpen)}>${dockOpen ? icons.down : icons.up}</button>
      </div>
      ${dockOpen ? this.body(dock) : nothing}
    </section>`;
  }

  /** @param {Tool} tool */
  body(tool) {
    return html`<div class="dock-body ${tool}" role="tabpanel" id="dock-body" aria-labelledby="dock-${tool}">
      ${TOOLS[tool]()}</div>`;
  }

  /** @param {Tool} tool @param {boolean} chosen */
  tab(tool, chosen) {
    const printed = state.value.program?.printed.length;
    return html`<button role="tab" id="dock-${tool}" aria-controls=${state.value.dockOpen ? "dock-body" : nothing} aria-selected=${chosen}
      tabindex=${chosen ? 0 : -1} @click=${() => open(tool)}>
      ${t(`dock.${tool}`)}${tool === "output" && printed ? html` <small>${printed}</small>` : nothing}</button>`;
  }

  /** Arrow keys walk along the tabs, Home and End to the first and the last. @param {KeyboardEvent} event */
  moved(event) {
    const all = tools();
    const at = all.indexOf(state.value.dock);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = all[(to + all.length) % all.length];
    update(docked(state.value, next));
    void this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector(`#dock-${next}`))?.focus());
  }
}

customElements.define("gl-dock", Dock);
