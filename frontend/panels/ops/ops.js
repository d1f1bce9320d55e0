// What an op is: formula, documentation, gradients, shapes, corners, its names elsewhere; found by search or from a node.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { opsFound, partsOfDoc } from "../../finding/op_search.js";
import { inLanguage } from "../../i18n/i18n.js";
import { shownProgram } from "../../state/selectors.js";
import { state, t, update } from "../../store.js";
import { Panel } from "../panel.js";
import "../parts/formula.js";
import { nodeLink } from "../parts/node_link.js";
import { opButton, openOp } from "./open_op.js";

/** @import { OpDoc } from "../../types.js" */

const FRAMEWORKS = /** @type {const} */ ({ tf: "TensorFlow", torch: "PyTorch", jax: "JAX", numpy: "numpy", math: null });
const MOST_NODES = 12; // of the graph that are listed

/** The op that is shown: the one chosen, else the first of what is drawn. @param {readonly OpDoc[]} ops */
function shownOp(ops) {
  const wanted = state.value.op.name;
  const drawn = shownProgram.value?.graph.nodes.find(({ op, phase }) => phase === "forward" && !PLUMBING.has(op))?.op;
  return ops.find(({ name }) => name === wanted) ?? ops.find(({ name }) => name === drawn) ?? ops[0];
}
const PLUMBING = new Set(["Const", "VariableV2", "Assign", "Identity", "Placeholder"]);

/** @param {unknown} label @param {unknown} content */
const fact = (label, content) => html`<dt>${label}</dt><dd>${content}</dd>`;

/** What an op computes and sends back, in a table by input. @param {OpDoc} op */
function gradients({ inputs, adjoints, derivative, derivative_zh: chinese, no_gradient: none, no_gradient_zh: noneZh }) {
  const { language } = state.value;
  if (none) return html`<p class="note">${t("ops.no_gradient")} ${inLanguage(language, none, noneZh)}</p>`;
  if (adjoints.length === 0) return nothing;
  const local = language === "zh-CN" ? chinese : derivative;
  return html`<table><thead><tr><th scope="col">${t("ops.input")}</th>
      <th scope="col">${t("node.local")}</th><th scope="col">${t("ops.passed_on")}</th></tr></thead>
    <tbody>${inputs.map(
      (input, k) => html`<tr><th scope="row"><code>${input}</code></th>
        <td>${local[k] ? html`<gl-formula .latex=${local[k]}></gl-formula>` : nothing}</td>
        <td>${adjoints[k] ? html`<gl-formula .latex=${adjoints[k]}></gl-formula>` : nothing}</td></tr>`,
    )}</tbody></table>`;
}

/** @param {OpDoc} op */
function names({ names: by }) {
  const rows = Object.entries(FRAMEWORKS).filter(([key]) => by[key]);
  if (rows.length === 0) return nothing;
  return fact(
    t("ops.names"),
    html`<ul class="spellings">${rows.map(([key, title]) => html`<li>${title ?? t("dialect.math")} <code>${by[key]}</code></li>`)}</ul>`,
  );
}

/** Nodes of the graph that use it. @param {OpDoc} op */
function uses({ name }) {
  const found = shownProgram.value?.graph.nodes.filter(({ op }) => op === name) ?? [];
  if (found.length === 0) return nothing;
  const more = found.length > MOST_NODES ? html` <span>${t("node.more", { count: found.length - MOST_NODES })}</span>` : nothing;
  return fact(t("ops.nodes"), html`${found.slice(0, MOST_NODES).map((node) => nodeLink(node.name))}${more}`);
}

/** @param {OpDoc} op */
function article(op) {
  const { language } = state.value;
  const { says, saysZh, shapes, source } = partsOfDoc(op);
  const attributes = Object.entries(op.attributes);
  return html`<article aria-label=${op.name}>
    <h3><code>${op.name}</code></h3>
    <p>${inLanguage(language, says, saysZh || null)}</p>
    ${op.latex ? html`<gl-formula .latex=${op.latex}></gl-formula>` : nothing}
    ${gradients(op)}
    <dl class="facts">
      ${
        op.inputs.length > 0
          ? fact(
              t("node.inputs"),
              op.inputs.map((input) => html`<code>${input}</code>`),
            )
          : nothing
      }
      ${shapes ? fact(t("ops.shapes"), html`<code>${shapes}</code>`) : nothing}
      ${
        attributes.length > 0
          ? fact(
              t("node.attributes"),
              attributes.map(([name, value]) => html`<code>${name} = ${JSON.stringify(value)}</code>`),
            )
          : nothing
      }
      ${op.kink ? fact(t("ops.kink"), inLanguage(language, op.kink.en, op.kink.zh)) : nothing}
      ${names(op)}
      ${source ? fact(t("ops.source"), source) : nothing}
      ${uses(op)}
      ${op.related.length > 0 ? fact(t("ops.related"), op.related.map(opButton)) : nothing}
    </dl></article>`;
}

class Ops extends Panel {
  render() {
    const { allOps, op } = state.value;
    if (!allOps) return html`<p class="note">${t("landscape.coming")}</p>`;
    const found = opsFound(allOps, op.query);
    const shown = shownOp(allOps);
    return html`<div class="ops-tool">
      <div class="ops-list">
        <input type="search" aria-label=${t("ops.search")} placeholder=${t("ops.search_hint")} .value=${live(op.query)}
          @input=${this.typed} @keydown=${this.pressed}>
        <ul role="listbox" aria-label=${t("ops.list")} tabindex="0" aria-activedescendant=${`op-${shown.name}`} @keydown=${this.pressed}>
          ${found.map((each) => this.option(each, each === shown))}</ul>
        <output class="note">${t("ops.count", { count: found.length })}</output>
      </div>
      ${article(shown)}</div>`;
  }

  /** @param {OpDoc} op @param {boolean} isShown */
  option({ name }, isShown) {
    return html`<li role="option" id="op-${name}" aria-selected=${isShown} @click=${() => openOp(name)}><code>${name}</code></li>`;
  }

  /** The best hit is shown at once. @param {Event} event */
  typed(event) {
    const query = /** @type {HTMLInputElement} */ (event.target).value;
    const [best] = query.trim() ? opsFound(state.value.allOps ?? [], query) : [];
    update({ op: { query, name: best?.name ?? state.value.op.name } });
  }

  /** Arrows walk through the hits, letters go to the next op that begins with them. @param {KeyboardEvent} event */
  pressed(event) {
    const { allOps, op } = state.value;
    const found = opsFound(allOps ?? [], op.query);
    if (event.ctrlKey || event.metaKey || event.altKey || found.length === 0) return;
    const at = found.indexOf(shownOp(allOps ?? []));
    const inField = event.target instanceof HTMLInputElement;
    const next = this.led(event.key, found, at, inField);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    openOp(found[next].name);
    void this.updateComplete.then(() =>
      this.querySelector('[role="option"][aria-selected="true"]')?.scrollIntoView({ block: "nearest" }),
    );
  }

  /** The hit that a key leads to; null where it means nothing here. @param {string} key @param {OpDoc[]} found @param {number} at @param {boolean} inField */
  led(key, found, at, inField) {
    if (key === "ArrowDown") return Math.min(found.length - 1, at + 1);
    if (key === "ArrowUp") return Math.max(0, at - 1);
    if (inField) return null;
    if (key === "Home") return 0;
    if (key === "End") return found.length - 1;
    if (key.length !== 1 || key === " ") return null;
    const begins = (/** @type {OpDoc} */ { name }) => name.toLowerCase().startsWith(key.toLowerCase());
    const later = found.findIndex((each, k) => k > at && begins(each));
    const first = later < 0 ? found.findIndex(begins) : later;
    return first < 0 ? null : first;
  }
}

customElements.define("gl-ops", Ops);
