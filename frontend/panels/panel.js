// What every panel has in common: an element in the page's own DOM that renders when the state changes.

import { effect } from "@preact/signals-core";
import { LitElement } from "lit";

import { findingTools } from "../state/selectors.js";
import { state } from "../store.js";

export class Panel extends LitElement {
  /** @type {() => void} */
  #stop = () => {};

  /** Style sheets of the page apply: no shadow root. */
  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stop = effect(() => {
      void [state.value, findingTools.value]; // the tools come later, and change what is found but not the state
      this.requestUpdate();
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  /** Nothing is drawn before the words have arrived. */
  shouldUpdate() {
    return Object.keys(state.value.catalogue).length > 0;
  }
}
