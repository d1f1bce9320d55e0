// What a graph from a file is run with: a field for each placeholder and for the variable that is selected.

import { html, nothing } from "lit";

import { inLanguage } from "../../i18n/i18n.js";
import { computeGraph, giveToGraph } from "../../requests/import_values.js";
import { isGivenInFile, placeholdersOf } from "../../state/given.js";
import { state, t } from "../../store.js";
import { withCode } from "../parts/code.js";
import { tensorField } from "../parts/tensor_field.js";

/** @import { ApiNode, Diagnostic, ImportedValues, Program } from "../../types.js" */

const MOST_FIELDS = 8;
const MOST_NAMES = 5;

/** Nodes that can be given a value: the first placeholders, what has been given one, and what is selected. @param {Program} program @returns {ApiNode[]} */
function withFields(program) {
  const { feeds, selected } = state.value;
  const first = new Set(placeholdersOf(program).slice(0, MOST_FIELDS));
  return program.graph.nodes.filter(
    (node) => first.has(node) || node.name in feeds || (node.name === selected && isGivenInFile(node)),
  );
}

/** @param {readonly string[]} names */
const listed = (names) => names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ", …" : "");

/** What was computed, and what was not and why. @param {ImportedValues} answer */
function outcome({ values, unfed, variables, diagnostics }) {
  const empty = Object.keys(variables).filter((name) => variables[name] === "none");
  const lines = [
    t("file.computed", { count: Object.keys(values).length }),
    ...(unfed.length > 0 ? [t("file.unfed", { names: listed(unfed) })] : []),
    ...(empty.length > 0 ? [t("file.empty_variables", { names: listed(empty) })] : []),
  ];
  return html`<div role="status">${lines.map((line) => html`<p class="note">${line}</p>`)}${diagnostics.map(said)}</div>`;
}

/** @param {Diagnostic} diagnostic */
function said({ severity, message, message_zh, hint, hint_zh }) {
  const { language } = state.value;
  return html`<div class="message ${severity}"><p>${withCode(inLanguage(language, message, message_zh))}</p>
    ${hint ? html`<p class="hint">${withCode(inLanguage(language, hint, hint_zh))}</p>` : nothing}</div>`;
}

/** @param {Program} program */
export function fileValues(program) {
  const { fileValues: computed, busy } = state.value;
  const fields = withFields(program);
  const more = placeholdersOf(program).length - fields.filter(({ op }) => op !== "VariableV2").length;
  return html`<section class="fields"><fieldset><legend>${t("file.values")}</legend>
    ${fields.map((node) => tensorField(node, t("file.value_of", { name: node.name }), (value) => void giveToGraph(node.name, value)))}
    ${more > 0 ? html`<p class="hint">${t("file.more_fields", { count: more })}</p>` : nothing}
    <p class="hint">${t("file.values_hint")}</p>
    <p><button ?disabled=${busy} @click=${() => void computeGraph()}>${t("file.compute")}</button></p>
    ${computed?.of === program ? outcome(computed.answer) : nothing}</fieldset></section>`;
}
