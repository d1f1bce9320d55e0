// A graph from a file: what it consists of, and the gradient that it is to be grown by. Fetched with the first such file.

import { html, nothing } from "lit";

import { growGraph } from "../../requests/graph_file.js";
import { state, t } from "../../store.js";
import { Panel } from "../panel.js";
import { fileValues } from "./file_values.js";

/** A count in full, with the page's separators. @param {number} count */
const written = (count) => new Intl.NumberFormat(state.value.language).format(count);

const MOST_XS = 1000;
const SAME = new Set(["Variable", "VariableV2", "VarHandleOp", "Placeholder"]);

class FileCard extends Panel {
  render() {
    const { program } = state.value;
    const file = program?.file;
    if (!file) return nothing;
    return html`<h3>${t("file.title", { format: t(`file.format.${file.format}`) })}</h3>
      ${this.form()}
      ${fileValues(program)}
      <dl class="facts">${this.facts(file)}</dl>
      <p class="note">${t("file.ops")} ${file.ops.map(({ op, count }, at) => html`${at ? ", " : ""}<code>${op}</code> ${written(count)}`)}${file.kinds > file.ops.length ? ", …" : ""}</p>`;
  }

  /** @param {import("../../types.js").Statistics} file */
  facts({ edges, control_edges, scopes, variables, parameters }) {
    const nodes = state.value.program?.graph.nodes.length ?? 0;
    const found = { nodes, edges, control_edges, scopes, variables, parameters };
    return Object.entries(found).map(([name, count]) => html`<dt>${t(`file.${name}`)}</dt><dd>${written(count)}</dd>`);
  }

  /** Which gradient to add: of the selected node, by the variables. */
  form() {
    const { program, selected, busy } = state.value;
    const nodes = program?.graph.nodes ?? [];
    const y = nodes.find(({ name, phase }) => name === selected && phase !== "gradient") ?? null;
    const xs = xsOf(nodes);
    if (xs.length === 0) return nothing;
    if (!y) return html`<p class="note">${t("file.choose")}</p>`;
    const grow = () => growGraph(program?.imported ?? "", y.name, xs);
    const by = xs.length > 3 ? t("file.by_all", { count: xs.length }) : xs.join(", ");
    return html`<p><button ?disabled=${busy} @click=${grow}>${t("file.grow", { y: y.name, by })}</button></p>`;
  }
}

/** What a graph is differentiated by: its variables, else its placeholders. @param {import("../../types.js").ApiNode[]} nodes */
function xsOf(nodes) {
  const found = nodes.filter(
    ({ op, phase, outputs }) => SAME.has(op) && phase === "forward" && outputs[0]?.dtype.startsWith("float"),
  );
  const variables = found.filter(({ op }) => op !== "Placeholder");
  return (variables.length > 0 ? variables : found).slice(0, MOST_XS).map(({ name }) => name);
}

customElements.define("gl-file", FileCard);
