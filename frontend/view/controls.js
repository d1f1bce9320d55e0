// The overlay: zoom and fit buttons, and the full name of what is selected.

/** @typedef {import("./types.js").Translate} Translate */

/**
 * @param {Translate} t
 * @param {{zoomBy: (factor: number) => void, fit: () => void}} actions
 */
export function createControls(t, { zoomBy, fit }) {
  const buttons = document.createElement("div");
  buttons.className = "graph-controls";
  buttons.append(
    button("+", t("graph.zoomIn"), () => zoomBy(1.3)),
    button("−", t("graph.zoomOut"), () => zoomBy(1 / 1.3)),
    button("⤢", t("graph.fit"), fit),
  );
  const caption = document.createElement("p");
  caption.className = "graph-caption";
  caption.hidden = true;
  return {
    elements: [buttons, caption],
    /** @param {string} text */
    caption(text) {
      caption.textContent = text;
      caption.hidden = text === "";
    },
    /** Say everything in the language of the moment. */
    relabel() {
      const names = ["graph.zoomIn", "graph.zoomOut", "graph.fit"];
      [...buttons.children].forEach((each, i) => name(/** @type {HTMLElement} */ (each), t(names[i])));
    },
  };
}

/** @param {string} sign @param {string} label @param {() => void} act */
function button(sign, label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = sign;
  name(element, label);
  element.addEventListener("click", act);
  return element;
}

/** @param {HTMLElement} element @param {string} label */
function name(element, label) {
  element.title = label;
  element.setAttribute("aria-label", label);
}
