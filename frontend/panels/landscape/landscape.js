// The target over one or two variables: a curve, or a surface seen from above or from the side.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { inLanguage } from "../../i18n/i18n.js";
import { lacksVariables } from "../../runs/updates.js";
import { wantLandscape } from "../../requests/docks/landscape.js";
import { wantRace } from "../../requests/docks/race.js";
import { reset, showRow } from "../../requests/run.js";
import { optimiseText } from "../../requests/session.js";
import { axisCalled, choicesOf, firstAxes, nameOf, zoomed } from "../../state/landscape.js";
import { state, t, update } from "../../store.js";
import { exactNumber, formatNumber, formatValue } from "../../values/format.js";
import { typedNumber } from "../../values/typed.js";
import { Panel } from "../panel.js";
import { fieldMistake, numberField } from "../parts/number_field.js";
import { styleSheet } from "../parts/style_sheet.js";
import { noVariables } from "../parts/no_variables.js";
import { saveText } from "../../browser/saving.js";
import { pointsOf, presentPoint } from "./picture.js";
import { isMovable, moveTo } from "./plane.js";
import { legend } from "../race/legend.js";

/** @import { Axis, LandscapeSettings } from "../../state/landscape.js" */

void styleSheet("styles/charts.css");

/** @param {Partial<LandscapeSettings>} fields */
const set = (fields) => update({ landscape: { ...state.value.landscape, ...fields } });

/** @param {Event} event */
const textOf = (event) => /** @type {HTMLSelectElement} */ (event.target).value;

class Landscape extends Panel {
  updated() {
    wantLandscape();
    if (state.value.landscape.hasPaths) wantRace();
  }

  render() {
    const { program, landscape, landscapeFound } = state.value;
    if (lacksVariables(state.value.program)) return noVariables();
    if (!program || choicesOf(program).length === 0) return html`<p class="note">${t("landscape.empty")}</p>`;
    const { axes } = landscape;
    return html`<div class="chart-tool">
      <div class="chart-form">${(axes ?? []).map((axis, place) => this.axis(axis, place))}${this.second()}${this.looks()}</div>
      <gl-plane></gl-plane>
      <div class="chart-side">
        <p id="landscape-says" role="status">${this.says()}</p>
        <p class="note ${landscapeFound?.answer ? "" : "later"}" id="landscape-keys">${t(landscape.isSurface ? "landscape.keys_surface" : isMovable() ? "landscape.keys" : "landscape.keys_zoom")}</p>
        ${this.updates()}
        ${landscapeFound?.problem ? this.problem(landscapeFound.problem) : this.points()}
        ${landscape.hasPaths ? legend() : nothing}
      </div>
    </div>`;
  }

  /** @param {import("../../types.js").Problem} problem */
  problem(problem) {
    const { language } = state.value;
    return html`<p class="message warning">${inLanguage(language, problem.detail, problem.message_zh)}
      ${inLanguage(language, problem.hint, problem.hint_zh)}</p>`;
  }

  /** @param {Axis} axis @param {number} place */
  axis(axis, place) {
    const { program } = state.value;
    const name = nameOf(axis);
    const label = t(place === 0 ? "landscape.across" : "landscape.up");
    const other = (this.axes[1 - place] && nameOf(this.axes[1 - place])) ?? "";
    const choices = program ? choicesOf(program).filter((each) => each !== other || axis.direction !== null) : [];
    const chosen = (/** @type {Event} */ event) => {
      if (!program) return;
      const axes =
        textOf(event) === ""
          ? this.axes.slice(0, 1)
          : this.axes.map((each, k) => (k === place ? axisCalled(program, textOf(event)) : each));
      set({ axes });
    };
    return html`<div class="axis"><select aria-label=${label} @change=${chosen}>
        ${choices.map((each) => html`<option value=${each} .selected=${live(each === name)}>${this.titleOf(each)}</option>`)}
        ${place === 1 ? html`<option value="">${t("landscape.no_axis")}</option>` : nothing}</select>
      ${this.end(axis, place, "from")}<span aria-hidden="true">…</span>${this.end(axis, place, "to")}</div>`;
  }

  /** @returns {readonly Axis[]} */
  get axes() {
    return state.value.landscape.axes ?? [];
  }

  /** @param {string} name */
  titleOf(name) {
    return ["hessian", "random", "trajectory"].includes(name) ? t(`landscape.${name}`) : name;
  }

  /** @param {Axis} axis @param {number} place @param {"from" | "to"} side */
  end(axis, place, side) {
    const label = t(`landscape.${side}`, { name: this.titleOf(nameOf(axis)) }) + (axis.direction && place ? " 2" : "");
    const shown = exactNumber(axis[side]);
    const entered = (/** @type {string} */ text) => {
      const number = typedNumber(text);
      if (number === null) return { key: "input.no_number" };
      if (side === "from" ? number >= axis.to : number <= axis.from) return { key: "landscape.wrong_end" };
      return void set({ axes: this.axes.map((each, k) => (k === place ? { ...each, [side]: number } : each)) });
    };
    return html`${numberField({ label, shown, entered, kind: "end" })}${fieldMistake(label, shown)}`;
  }

  /** A second axis, where there is none and could be one. */
  second() {
    const { program } = state.value;
    if (!program || this.axes.length !== 1) return nothing;
    const others = choicesOf(program).filter((each) => each !== nameOf(this.axes[0]));
    if (others.length === 0) return nothing;
    return html`<button @click=${() => set({ axes: [...this.axes, axisCalled(program, others[0])] })}>${t("landscape.second")}</button>`;
  }

  looks() {
    const { program } = state.value;
    const zoom = (/** @type {number} */ factor) => set({ axes: this.axes.map((axis) => zoomed(axis, factor)) });
    return html`<div class="buttons">
        <button @click=${() => zoom(0.5)}>${t("landscape.closer")}</button>
        <button @click=${() => zoom(2)}>${t("landscape.farther")}</button>
        <button @click=${() => set({ axes: program ? firstAxes(program) : null })}>${t("landscape.around")}</button>
        <button @click=${() => this.save()}>${t("landscape.save")}</button></div>
      ${this.axes.length === 2 ? [this.check("isSurface", "landscape.surface"), this.check("hasArrows", "landscape.arrows")] : nothing}
      ${this.check("hasPaths", "landscape.paths")}`;
  }

  /** @param {"isSurface" | "hasArrows" | "hasPaths"} field @param {string} key */
  check(field, key) {
    const changed = (/** @type {Event} */ event) => set({ [field]: /** @type {HTMLInputElement} */ (event.target).checked });
    return html`<label class="check"><input type="checkbox" .checked=${live(state.value.landscape[field])} @change=${changed}>${t(key)}</label>`;
  }

  save() {
    const plane = /** @type {import("./plane.js").Plane | null} */ (this.querySelector("gl-plane"));
    if (plane) saveText(plane.svg(), "landscape.svg", "image/svg+xml");
  }

  /** The point, the target and its slopes there, as the server computed them. */
  says() {
    const { program, at, run, row, busy } = state.value;
    const point = presentPoint();
    if (!point || !program) return t("landscape.no_point");
    const where = this.axes.map((axis, k) => `${nameOf(axis)} = ${formatNumber(point[k])}`).join(t("landscape.comma"));
    if (run) return t("landscape.at_row", { row, where, value: formatValue(run.loss[row]) });
    const isAnswered =
      !busy && this.axes.every((axis) => at[nameOf(axis)] === undefined || at[nameOf(axis)] === this.boundTo(nameOf(axis)));
    if (!isAnswered) return `${where}…`;
    const value = program.graph.nodes.find(({ name }) => name === program.target?.replace(/:\d+$/, ""))?.value;
    const slopes = this.axes.flatMap((axis) => {
      const found = program.gradients.find(({ name }) => name === axis.variable);
      return found ? [`${this.derivative(nameOf(axis))} = ${formatValue(found.value)}`] : [];
    });
    return t("landscape.at", { where, value: formatValue(value), slopes: slopes.join(t("landscape.comma")) });
  }

  /** @param {string} name */
  derivative(name) {
    const d = (state.value.program?.gradients.length ?? 0) > 1 ? "∂" : "d";
    return `${d}/${d}${name}`;
  }

  /** The value that the answer is about. @param {string} name */
  boundTo(name) {
    return /** @type {{data?: unknown}} */ (state.value.program?.bindings.find((each) => each.name === name)?.value ?? {}).data;
  }

  updates() {
    const { row, run } = state.value;
    return html`<div class="buttons">
      <button aria-disabled=${row === 0} @click=${() => row > 0 && showRow(row - 1)}>${t("optimizer.back")}</button>
      ${[1, 10, 100].map((count) => html`<button title=${t("optimizer.steps", { count })} @click=${() => optimiseText(count)}>${count === 1 ? t("optimizer.step") : `×${count}`}</button>`)}
      <button aria-disabled=${!run} @click=${reset}>${t("optimizer.reset")}</button></div>`;
  }

  /** How much of the picture is there. @param {{done: number, bands: number, isSketched?: boolean}} coming */
  coming({ done, bands, isSketched = false }) {
    const label = t("landscape.bands", { done, bands });
    return html`<p class="note">${label} ${isSketched ? t("landscape.sketch") : ""} <progress max=${bands} value=${done} aria-label=${label}></progress></p>`;
  }

  /** A number of a point: with all its digits, or of one that lies between the points of the picture about where it is. @param {number} number @param {boolean} isNear */
  found(number, isNear) {
    return isNear
      ? html`<td>≈ ${formatNumber(Number(number.toPrecision(3)))}</td>`
      : html`<td title=${exactNumber(number)}>${formatNumber(number)}</td>`;
  }

  /** Critical points in a table: the picture for those who read rather than look. */
  points() {
    const { landscapeFound, language } = state.value;
    const { grid, answer } = landscapeFound ?? {};
    if (landscapeFound?.coming) return this.coming(landscapeFound.coming);
    if (!grid || !answer?.extent) return html`<p class="note">${t("landscape.coming")}</p>`;
    const points = pointsOf(grid, answer);
    const notes = answer.diagnostics.map(
      ({ message, message_zh: zh }) => html`<p class="note">${inLanguage(language, message, zh)}</p>`,
    );
    const range = html`<p class="note">${t("landscape.range", { low: formatValue(answer.extent.min), high: formatValue(answer.extent.max) })}
      ${answer.extent.not_finite > 0 ? t("landscape.not_finite", { count: answer.extent.not_finite }) : ""}
      ${this.axes.length === 2 ? t("landscape.levels") : ""}</p>`;
    if (points.length === 0) return html`<p class="note">${t("landscape.no_points")}</p>${notes}${range}`;
    return html`<table><caption>${t("landscape.points")}</caption>
      <thead><tr><th scope="col">${t("landscape.kind")}</th>${grid.axes.map(({ variable }) => html`<th scope="col">${variable}</th>`)}<th scope="col">${t("landscape.target")}</th></tr></thead>
      <tbody>${points.slice(0, 40).map(
        ({
          kind,
          at,
          value,
          isNear,
        }) => html`<tr><th scope="row"><button class="link" @click=${() => moveTo(at)}>${t(`landscape.${kind}`)}</button></th>
          ${[...at, value].map((number) => this.found(number, isNear))}</tr>`,
      )}</tbody></table>${notes}${range}`;
  }
}

customElements.define("gl-landscape", Landscape);
