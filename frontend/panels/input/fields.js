// What a program is given besides its text: a field for each placeholder, its seed, which variables are trained, tables of numbers.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";

import { give } from "../../requests/session.js";
import { drawsNumbers, placeholdersOf, variablesToTrain } from "../../state/given.js";
import { state, t } from "../../store.js";
import { typedNumber } from "../../values/typed.js";
import { regularShape, shapeText, typedTensor } from "../../values/typed_tensor.js";
import { Panel } from "../panel.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import { tensorField } from "../parts/tensor_field.js";

/** @import { ApiNode, Program } from "../../types.js" */
/** @import { Nested } from "../../values/typed_tensor.js" */

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const MOST_SEED = 2 ** 32 - 1;

/** @param {Readonly<Record<string, unknown>>} all @param {string} name */
const without = (all, name) => /** @type {any} */ (Object.fromEntries(Object.entries(all).filter(([each]) => each !== name)));

// ---- placeholders --------------------------------------------------------------------------------

/** @param {ApiNode} node */
const placeholder = (node) =>
  tensorField(node, t("fields.value_of", { name: node.name }), (value) => {
    const { feeds } = state.value;
    give({ feeds: value === null ? without(feeds, node.name) : { ...feeds, [node.name]: value } });
  });

/** @param {Program} program */
function placeholders(program) {
  const found = placeholdersOf(program);
  if (found.length === 0) return nothing;
  return html`<fieldset><legend>${t("fields.placeholders")}</legend>${found.map(placeholder)}
    <p class="hint">${t("fields.placeholders_hint")}</p></fieldset>`;
}

// ---- seed ----------------------------------------------------------------------------------------

/** @param {Program} program */
function seedField(program) {
  const { seed, source } = state.value;
  if (seed === 0 && !drawsNumbers(program, source)) return nothing;
  const label = t("fields.seed");
  const shown = String(seed);
  const entered = (/** @type {string} */ typed) => {
    const number = typedNumber(typed);
    if (number === null) return { key: "input.no_number" };
    if (!Number.isInteger(number) || number < 0 || number > MOST_SEED)
      return { key: "fields.no_seed", params: { most: MOST_SEED } };
    return void give({ seed: number });
  };
  return html`<fieldset class="row-of-fields"><legend title=${t("fields.seed_hint")}>${label}</legend>
    ${numberField({ label, shown, entered, kind: "value seed" })}
    <button @click=${() => give({ seed: seed >= MOST_SEED ? 0 : seed + 1 })}>${t("fields.draw_again")}</button>${fieldMistake(label, shown)}</fieldset>`;
}

// ---- variables -----------------------------------------------------------------------------------

/** Which variables get gradients. @param {Program} program */
function training(program) {
  const all = variablesToTrain(program, state.value.source);
  if (all.length < 2 && all.every(({ isTrained }) => isTrained)) return nothing;
  const turn = (/** @type {string} */ name) => {
    const trained = all.filter((each) => each.isTrained !== (each.name === name)).map((each) => each.name);
    give({ wrt: { of: all.map((each) => each.name), trained } });
  };
  return html`<fieldset class="row-of-fields"><legend>${t("fields.wrt")}</legend>${all.map(
    ({ name, isTrained }) =>
      html`<label class="check"><input type="checkbox" .checked=${live(isTrained)} @change=${() => turn(name)}><code>${name}</code></label>`,
  )}</fieldset>`;
}

// ---- tables --------------------------------------------------------------------------------------

/** @param {[string, Nested | string]} entry */
function table([name, value]) {
  const remove = t("fields.remove_data", { name });
  const shape = typeof value === "string" ? "CSV" : shapeText(regularShape(value) ?? []);
  return html`<li><code>${name}</code> <small>${shape}</small>
    <button class="quiet square" aria-label=${remove} title=${remove} @click=${() => give({ data: without(state.value.data, name) })}>×</button></li>`;
}

class Fields extends Panel {
  #shown = ""; // the mistake that was brought into sight

  /** A new mistake is read without scrolling. */
  updated() {
    const mistake = this.querySelector(".mistake:not(:empty)");
    const text = mistake?.textContent ?? "";
    if (text && text !== this.#shown) mistake?.scrollIntoView({ block: "nearest" });
    this.#shown = text;
  }

  /** What is typed for a new table; null while none is. @type {{name: string, text: string, why: string | null} | null} */
  #added = null;

  render() {
    const program = state.value.answer ?? state.value.program;
    if (!program || program.dialect === "math" || program.dialect === "graph") return nothing;
    return html`<section class="fields" aria-label=${t("fields.title")}>
      ${placeholders(program)}${seedField(program)}${training(program)}${this.tables()}</section>`;
  }

  tables() {
    const all = Object.entries(state.value.data);
    const list = all.length > 0 ? html`<ul aria-label=${t("fields.data")}>${all.map(table)}</ul>` : nothing;
    if (this.#added) return html`<fieldset><legend>${t("fields.data")}</legend>${list}${this.form(this.#added)}</fieldset>`;
    return html`<div class="row-of-fields">${list}<button class="link" @click=${() => this.open()}>${t("fields.add_data")}</button></div>`;
  }

  /** @param {NonNullable<Fields["typed"]>} added */
  form({ name, text, why }) {
    const typed = (/** @type {"name" | "text"} */ field) => (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      this.set({ ...this.typed, [field]: value, why: null });
    };
    const submitted = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.add();
    };
    return html`<form class="data-form" @submit=${submitted}>
      <label>${t("fields.data_name")} <input class="data-name" .value=${live(name)} autocomplete="off" spellcheck="false" @input=${typed("name")}></label>
      <label>${t("fields.data_numbers")}<textarea rows="4" spellcheck="false" .value=${live(text)} @input=${typed("text")}
        aria-describedby="data-mistake"></textarea></label>
      <p class="mistake" role="alert" id="data-mistake">${why ?? ""}</p>
      <div class="buttons"><button>${t("fields.add")}</button><button type="button" @click=${() => this.set(null)}>${t("fields.cancel")}</button></div>
    </form>`;
  }

  /** @returns {{name: string, text: string, why: string | null}} */
  get typed() {
    return this.#added ?? { name: "", text: "", why: null };
  }

  /** @param {Fields["typed"] | null} added */
  set(added) {
    this.#added = added;
    this.requestUpdate();
  }

  open() {
    this.set({ name: "data", text: "", why: null });
    void this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector("textarea"))?.focus());
  }

  /** Take the table, or say why not. */
  add() {
    const { name, text } = this.typed;
    const value = typedTensor(text);
    if (!NAME.test(name)) this.set({ ...this.typed, why: t("fields.bad_name", { name }) });
    else if (value === null) this.set({ ...this.typed, why: t("fields.no_table") });
    else {
      this.set(null);
      give({ data: { ...state.value.data, [name]: value } });
    }
  }
}

customElements.define("gl-fields", Fields);
