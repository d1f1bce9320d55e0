// The voice of the page: each step's sentence, for screen readers, whichever part is in sight.

import { html } from "lit";

import { Panel } from "../panel.js";
import { narration } from "./sentence.js";

class Narration extends Panel {
  render() {
    return html`<p class="visually-hidden" aria-live="polite">${narration()}</p>`;
  }
}

customElements.define("gl-narration", Narration);
