// Beneath the picture: zoom and fit buttons, and the full name of what is selected with its scopes as a path to walk,
// or, while the text cannot be read, that the picture is older.

/** @import { Translate } from "../types.js" */

/**
 * @param {Translate} t
 * @param {{zoomBy: (factor: number) => void, fit: () => void, select: (name: string) => void}} actions
 */
export function createControls(t, { zoomBy, fit, select }) {
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
  const notice = document.createElement("p");
  notice.className = "graph-notice";
  notice.setAttribute("role", "status");
  let shown = "";
  return {
    parts: [notice, caption],
    buttons,
    /** @param {string} name of a node or scope @param {{op?: string, label?: string}} node op: "" of a scope; label: in place of its name @param {boolean} stale */
    show(name, { op = "", label }, stale) {
      if (name !== shown) caption.replaceChildren(...(label === undefined ? crumbs(name, select) : [label]), op && ` · ${op}`);
      shown = name;
      caption.hidden = name === "" || stale;
      const says = stale ? t("graph.stale") : "";
      if (notice.textContent !== says) notice.textContent = says;
    },
    /** Say everything in the language of the moment. */
    relabel() {
      const names = ["graph.zoomIn", "graph.zoomOut", "graph.fit"];
      [...buttons.children].forEach((each, i) => entitle(/** @type {HTMLElement} */ (each), t(names[i])));
    },
  };
}

/** "gradients / Exp_grad / mul": a button for each scope, then the name. @param {string} path @param {(name: string) => void} select */
function crumbs(path, select) {
  const parts = path.split("/");
  const last = parts.pop() ?? "";
  const scopes = parts.flatMap((part, depth) => {
    const crumb = document.createElement("button");
    crumb.type = "button";
    crumb.textContent = part;
    crumb.addEventListener("click", () => select(parts.slice(0, depth + 1).join("/")));
    return [crumb, "/"];
  });
  return [...scopes, last];
}

/** @param {string} sign @param {string} label @param {() => void} act */
function button(sign, label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = sign;
  entitle(element, label);
  element.addEventListener("click", act);
  return element;
}

/** @param {HTMLElement} element @param {string} label */
function entitle(element, label) {
  element.title = label;
  element.setAttribute("aria-label", label);
}
