// A field for a tensor: its name, its type and shape, and the numbers that it is given.

import { html } from "lit";

import { state, t } from "../../store.js";
import { misfit, shapeText, tensorText, typedTensor } from "../../values/typed_tensor.js";
import { fieldMistake, numberField } from "./number_field.js";

/** @import { ApiNode } from "../../types.js" */
/** @import { Nested } from "../../values/typed_tensor.js" */

const MOST_SHOWN = 200; // characters of a value that a field shows

/**
 * @param {ApiNode} node whose first output it is
 * @param {string} label no other field on the page has it
 * @param {(value: Nested | null) => void} give  null: nothing
 */
export function tensorField({ name, outputs: [{ dtype, shape }] }, label, give) {
  const text = tensorText(state.value.feeds[name]);
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  const entered = (/** @type {string} */ typed) => {
    if (typed === shown) return undefined;
    if (typed.trim() === "") return void give(null);
    const value = typedTensor(typed);
    if (value === null) return { key: "fields.no_tensor" };
    return misfit(value, dtype, shape) ?? void give(value);
  };
  return html`<div class="given-field"><label><code>${name}</code> <small>${dtype} ${shape ? shapeText(shape) : t("fields.any_shape")}</small></label>
    ${numberField({ label, shown, entered, kind: "feed" })}${fieldMistake(label, shown)}</div>`;
}
