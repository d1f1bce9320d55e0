// The result of a step at level Mathematics: what it is called, and its number.

import { html, nothing } from "lit";

import { exactValue, formatValue } from "../../values/format.js";
import "../parts/formula.js";

/** @param {import("../../types.js").Step} step */
export function resultOf({ result, output: { value } }) {
  const at = result?.lastIndexOf(" = ") ?? -1;
  const isNumber = typeof value === "number" || (value instanceof Object && value.shape.length === 0);
  const isOne = isNumber && at > 0 && !result?.includes("{aligned}");
  if (!isOne && result) return html`<gl-formula .latex=${result} title=${exactValue(value)}></gl-formula>`;
  const left = isOne ? html`<gl-formula .latex=${`${result?.slice(0, at)} =`}></gl-formula>` : nothing;
  return html`${left}<strong title=${exactValue(value)}>${formatValue(value)}</strong>`;
}
