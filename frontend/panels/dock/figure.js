// A figure that the program drew with matplotlib: its axes as a drawing, in words for who does not see it, and its numbers
// in a table. Fetched when a program has drawn one.

import { html, nothing, svg } from "lit";

import { axesMarks, heightOf } from "../../charts/figures/axes.js";
import { t } from "../../store.js";
import { formatNumber } from "../../values/format.js";
import { Panel } from "../panel.js";

/** @import { Mark } from "../../charts/frame.js" */
/** @import { Figure, FigureAxes, Series } from "../../types.js" */

const WIDTHS = { one: 560, several: 380 }; // px of one pair of axes
const ROOM_FOR_TITLE = 26;
const MOST_ROWS = 200; // of a table

/** @param {Mark} mark @returns {unknown} */
function drawn(mark) {
  if (mark.kind === "clipped") {
    const { left, top, width, height } = mark.frame;
    return svg`<svg aria-hidden="true" x=${left} y=${top} width=${width} height=${height} viewBox="${left} ${top} ${width} ${height}">${mark.marks.map(drawn)}</svg>`;
  }
  if (mark.kind === "text") {
    const { x, y, text, fill, align = "start", weight = 400 } = mark;
    return svg`<text x=${x} y=${y} fill=${fill} text-anchor=${align} font-weight=${weight}>${text}</text>`;
  }
  if (mark.kind !== "path") return nothing;
  const { d, fill = "none", stroke = "none", width = 1, dash = [], opacity = 1 } = mark;
  return svg`<path d=${d} fill=${fill} stroke=${stroke} stroke-width=${width} stroke-dasharray=${dash.join(" ") || nothing} opacity=${opacity} stroke-linejoin="round"></path>`;
}

/** What a series is, in words. @param {Series} series */
function described({ kind, label, y = [], count, every, z }) {
  const name = label && !label.startsWith("_") ? `“${label}”: ` : "";
  if (z) return `${name}${t(`figure.${kind}`, { rows: z.length, columns: z[0]?.length ?? 0 })}`;
  const finite = y.filter((each) => each !== null);
  const ends =
    finite.length > 0 && kind !== "text"
      ? ` ${t("figure.range", { low: formatNumber(Math.min(...finite)), high: formatNumber(Math.max(...finite)) })}`
      : "";
  const part = every > 1 ? ` ${t("figure.every", { every })}` : "";
  return `${name}${t(`figure.${kind}`, { count })}${ends}${part}`;
}

/** @param {FigureAxes} axes */
const inWords = ({ title, x_label: x, y_label: y, series }) =>
  [title, x && `x: ${x}`, y && `y: ${y}`, ...series.map(described)].filter(Boolean).join("; ");

class FigureElement extends Panel {
  static properties = { figure: { attribute: false } };

  constructor() {
    super();
    /** @type {Figure | null} */
    this.figure = null;
  }

  render() {
    const { figure } = this;
    if (!figure) return nothing;
    const width = figure.columns > 1 ? WIDTHS.several : WIDTHS.one;
    const rowHeights = Array.from({ length: figure.rows }, (_, row) =>
      Math.max(...figure.axes.filter((one) => one.row === row).map((one) => heightOf(one, width)), 60),
    );
    const top = figure.title ? ROOM_FOR_TITLE : 0;
    const size = { width: width * figure.columns, height: top + rowHeights.reduce((a, b) => a + b, 0) };
    const marks = figure.axes.flatMap((axes) => {
      const above = rowHeights.slice(0, axes.row).reduce((a, b) => a + b, top);
      return axesMarks(axes, { left: axes.column * width, top: above, width, height: rowHeights[axes.row] }, formatNumber);
    });
    const label = [figure.title, ...figure.axes.map(inWords)].filter(Boolean).join(". ");
    const cut = figure.axes.reduce((count, axes) => count + axes.left_out, 0);
    return html`<figure class="drawn-figure">
      <svg viewBox="0 0 ${size.width} ${size.height}" width=${size.width} role="img" aria-label=${label || t("figure.title")} font-size="12">
        ${figure.title ? svg`<text x=${size.width / 2} y="18" text-anchor="middle" font-weight="600" fill="#222222">${figure.title}</text>` : nothing}
        ${marks.map(drawn)}
      </svg>
      ${cut > 0 ? html`<p class="note">${t("figure.left_out", { count: cut })}</p>` : nothing}
      <details><summary>${t("figure.numbers")}</summary>${figure.axes.flatMap(({ series }) => series.map((one) => this.table(one)))}</details>
    </figure>`;
  }

  /** @param {Series} series */
  table(series) {
    const { x = [], y = [], categories, z } = series;
    if (z || series.kind === "text") return html`<p>${described(series)}</p>`;
    const rows = (x.length > 0 ? x : y).slice(0, MOST_ROWS);
    const text = (/** @type {number | null | undefined} */ value) =>
      value === null || value === undefined ? "" : formatNumber(value);
    return html`<div class="numbers" tabindex="0"><table><caption>${described(series)}</caption>
      <thead><tr><th scope="col">x</th><th scope="col">y</th></tr></thead>
      <tbody>${rows.map((_, k) => html`<tr><td>${categories?.[Number(x[k])] ?? text(x[k])}</td><td>${text(y[k])}</td></tr>`)}</tbody></table></div>`;
  }
}

customElements.define("gl-figure", FigureElement);
