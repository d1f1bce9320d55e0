// A small picture of an example's graph, from the page's own layout.

import { html, svg } from "lit";

/** @import { Thumbnail } from "../../types.js" */

/** @param {Thumbnail | undefined} picture */
export function thumbnail(picture) {
  if (!picture) return html`<span class="thumbnail"></span>`;
  const { width, height, lines, marks } = picture;
  return html`<svg class="thumbnail" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
    ${lines.map(([kind, path]) => svg`<path class=${kind} d=${path}></path>`)}
    ${marks.map(([kind, x, y, w, h]) => svg`<rect class=${kind} x=${x} y=${y} width=${w} height=${h} rx=${Math.min(w, h) / (kind.includes("scope") ? 6 : 2)}></rect>`)}
  </svg>`;
}
