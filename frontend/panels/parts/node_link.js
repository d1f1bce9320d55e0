// A button that selects another node, and brings it into sight.

import { html } from "lit";
import { nodeOf } from "../../state/lesson.js";
import { revealed } from "../../state/look.js";
import { shownNodes } from "../../state/selectors.js";
import { state, update } from "../../store.js";

/** @param {string} name @param {string} text */
const link = (name, text) => html`<button class="link" @click=${() => goTo(name)}><code>${text}</code></button>`;

/** @param {string} tensor of the node */
export const nodeLink = (tensor) => link(nodeOf(tensor), tensor);

/** @param {import("../../state/mathematics/picture.js").Part} part of the picture at level Mathematics */
export const partLink = ({ id, label }) => link(id, label);

/** Small screens stay on the part that they show. @param {string} name */
function goTo(name) {
  const { tab } = state.value;
  update({ ...revealed(state.value, name, shownNodes.value), tab });
}
